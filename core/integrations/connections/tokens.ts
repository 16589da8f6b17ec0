import { createToken } from "../../lib/tokens.js";
import type { ConnectionService } from "./index.js";

export const CONNECTIONS = createToken<ConnectionService>("ConnectionService");
