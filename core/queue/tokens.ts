import { createToken } from "../lib/tokens.js";
import type { Queue } from "./index.js";

export const QUEUE = createToken<Queue>("Queue");
