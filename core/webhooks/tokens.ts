import { createToken } from "../lib/tokens.js";
import type { Events } from "./index.js";

export const EVENTS = createToken<Events>("Events");
