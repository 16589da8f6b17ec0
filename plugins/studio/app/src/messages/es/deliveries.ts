import type { Translation } from "../../../../../../core/plugin-api/languages.js";
import type { en } from "../en/index.js";

export const deliveries = {
  delivery: "Entrega",
  pluginsLead:
    "Envíe los documentos terminados, por ejemplo por correo electrónico.",
} as const satisfies Translation<typeof en.deliveries, "es">;
