import { createToken } from "../lib/tokens.js";
import type { Batches } from "./index.js";

export const BATCHES = createToken<Batches>("Batches");
