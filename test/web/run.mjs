// run.mjs FILE: runs one file of tests and ends with 0, 1, or 77 when it needs a browser, or Pandoc, and there is none.
// Node's runner takes 77 of a file for a failure, so what is needed is looked for before.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { requireBrowser, requirePandoc } from "./browser.mjs";

const [, , file] = process.argv;
const text = readFileSync(file, "utf8");
if (text.includes("./browser.mjs")) requireBrowser();
if (text.includes("tools/site")) requirePandoc();
const { status } = spawnSync(process.execPath, ["--test", file], { stdio: "inherit" });
process.exit(status ?? 1);
