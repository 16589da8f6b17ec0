import type { PluginKind } from "../../plugin-api/index.js";

/** An installed plugin, and whether it can be used. */
export interface PluginStatus {
  kind: PluginKind | null;
  /** Of one whose package.json cannot be read, the name under which it was configured. */
  id: string;
  title: string;
  version: string | null;
  /** `shipped`, or the package's name, or its folder. */
  source: string;
  state: "ready" | "broken";
  /** Why it is broken, and how to mend it; null when it is not. */
  reason: string | null;
}
