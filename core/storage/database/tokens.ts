import { createToken } from "../../lib/tokens.js";
import type { Store } from "./index.js";

export const STORE = createToken<Store>("Store");
