import type { FileStore } from "../plugin-api/index.js";
import type { Outbound } from "../lib/outbound/index.js";
import type { Store } from "../storage/database/index.js";
import type { AssetLimits } from "./asset-limits.js";
import type { AssetLinks } from "./asset-links.js";
import type { NoteAct } from "./note-act.js";

/** What the library works with. */
export interface AssetParts {
  store: Pick<Store, "read" | "snapshot" | "unitOfWork">;
  files: FileStore;
  outbound: Pick<Outbound, "fetch">;
  links: AssetLinks;
  limits: AssetLimits;
  noteAct: NoteAct;
  /** Where callers reach the service, without a slash at the end. */
  baseUrl: string;
  /** Where files lie between their arrival and their place in the store. */
  folder: string;
}
