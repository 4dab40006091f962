// run.mjs FILE: runs one file of tests and ends with 0, 1, or 77 when it needs a browser and there is none.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { requireBrowser } from "./browser.mjs";

const [, , file] = process.argv;
if (readFileSync(file, "utf8").includes("./browser.mjs")) requireBrowser();
const { status } = spawnSync(process.execPath, ["--test", file], { stdio: "inherit" });
process.exit(status ?? 1);
