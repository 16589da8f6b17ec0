import type { Tool } from "../tool.js";
import { getTemplate } from "./get-template.js";
import { getTemplateAstGuide } from "./get-template-ast-guide.js";
import type { ToolServices } from "./services.js";

export type { ToolServices } from "./services.js";

/** Every tool, in the order in which they are listed. */
export function createTools(services: ToolServices): Tool[] {
  return [getTemplateAstGuide(), getTemplate(services)];
}
