// gltf.test.mjs: animations as glTF, in the validator of the Khronos Group.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";

const out = process.env.SLIPSTICK_WEB_OUT;
const require = createRequire(path.join(process.env.SLIPSTICK_WEB_MODULES ?? ".", "node_modules", "x.js"));
let validator;
try {
    validator = require("gltf-validator");
} catch {
    // without it there is nothing to ask
}

for (const model of ["flores/slider-crank-bodies", "spatial/coin", "spatial/lift", "xiong/rolling-sphere"])
    test(`${model} has no issue`, { skip: !validator && "gltf-validator is not installed" }, async () => {
        mkdirSync(out, { recursive: true });
        const file = path.join(out, `${path.basename(model)}.glb`);
        const { status, stderr } = spawnSync(process.env.SLIPSTICK, ["animate", model, "--gltf", "-o", file], { encoding: "utf8" });
        assert.equal(status, 0, stderr);
        const report = await validator.validateBytes(new Uint8Array(readFileSync(file)));
        assert.deepEqual(report.issues.messages, []);
        assert.ok(report.info.animationCount === 1);
    });
