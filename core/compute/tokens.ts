import { createToken } from "../lib/tokens.js";
import type { Compute } from "./index.js";

export const COMPUTE = createToken<Compute>("Compute");
