// main.js: the laboratory, or a report that was saved from it.
import { stage3d } from "../src/draw3d.js";
import { start } from "../src/report.js";
import { laboratory } from "./lab.js";

if (window.slipstickEngine) laboratory(stage3d, window.slipstickEngine);
else start(stage3d);
