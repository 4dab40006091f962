import { stage3d } from "./draw3d.js";
import { start } from "./report.js";

start(stage3d);
