import { createToken } from "../lib/tokens.js";
import type { AssetLinks, Assets, PublicFiles } from "./index.js";

export const ASSETS = createToken<Assets>("Assets");
export const ASSET_LINKS = createToken<AssetLinks>("AssetLinks");
/** Serves the files behind the public URLs of assets. */
export const PUBLIC_FILES = createToken<PublicFiles>("PublicFiles");
