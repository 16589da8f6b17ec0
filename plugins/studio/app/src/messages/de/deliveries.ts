import type { Translation } from "../../../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const deliveries = {
  delivery: "Zustellung",
  pluginsLead: "Fertige Dokumente weitergeben, etwa per E-Mail.",
} as const satisfies Translation<typeof en.deliveries, "de">;
