import type { Tool } from "../tool.js";
import { assetTools } from "./assets.js";
import { documentTools } from "./documents.js";
import { partialTools } from "./partials.js";
import type { ToolServices } from "./shared.js";
import { templateTools } from "./templates.js";

export type { ToolServices } from "./shared.js";

/** Every tool, in the order in which they are listed. */
export function createTools(services: ToolServices): Tool[] {
  return [
    ...templateTools(services),
    ...partialTools(services),
    ...documentTools(services),
    ...assetTools(services),
  ];
}
