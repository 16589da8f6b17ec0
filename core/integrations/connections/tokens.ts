import { createToken } from "../../lib/tokens.js";
import type { Connections } from "./index.js";

export const CONNECTIONS = createToken<Connections>("Connections");
