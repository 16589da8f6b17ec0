import { createToken } from "../tokens.js";
import type { Outbound } from "./index.js";

export const OUTBOUND = createToken<Outbound>("Outbound");
