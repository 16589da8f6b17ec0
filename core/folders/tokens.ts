import { createToken } from "../lib/tokens.js";
import type { Folders } from "./index.js";

export const FOLDERS = createToken<Folders>("Folders");
