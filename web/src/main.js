import { start } from "./report.js";

start(null);
