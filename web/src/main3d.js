import * as three from "three";
import { start } from "./report.js";

start(three);
