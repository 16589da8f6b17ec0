import type { PluginKind } from "../../../plugin-api/index.js";

/** A plugin as it was found: what is known before any code of it runs. */
export interface FoundPlugin {
  kind: PluginKind | null;
  id: string;
  title: string;
  version: string | null;
  source: string;
  /** Why it is not loaded at all, and how to mend it. */
  fault: string | null;
  /** Runs its module. @returns what it exports as its plugin, unchecked. */
  load(): Promise<unknown>;
}
