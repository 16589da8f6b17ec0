import { createToken } from "../lib/tokens.js";
import type {
  AssetContext,
  AssetLinks,
  Assets,
  Drawings,
  PublicFiles,
} from "./index.js";

export const ASSETS = createToken<Assets>("Assets");
/** The services and settings that the library needs. */
export const ASSET_CONTEXT = createToken<AssetContext>("AssetContext");
export const ASSET_LINKS = createToken<AssetLinks>("AssetLinks");
/** Serves the files behind the public URLs of assets. */
export const PUBLIC_FILES = createToken<PublicFiles>("PublicFiles");
/** The drawings of emails as files with URLs. */
export const DRAWINGS = createToken<Drawings>("Drawings");
/** How long they are kept after their month. */
export const DRAWING_RETENTION_MS = createToken<number>("DrawingRetentionMs");
