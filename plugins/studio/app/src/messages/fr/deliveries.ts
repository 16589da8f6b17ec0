import type { Translation } from "../../../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const deliveries = {
  delivery: "Livraison",
  pluginsLead: "Transmettre les documents terminés, par exemple par e-mail.",
} as const satisfies Translation<typeof en.deliveries, "fr">;
