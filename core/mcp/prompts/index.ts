import type { Templates } from "../../templates/index.js";
import type { Prompt } from "../prompt.js";
import { designEmail } from "./design-email.js";
import { designInvoice } from "./design-invoice.js";
import { fixTemplate } from "./fix-template.js";

export interface PromptServices {
  templates: Templates;
}

/** Every prompt, in the order in which they are listed. */
export function createPrompts(services: PromptServices): Prompt[] {
  return [
    designInvoice(services),
    designEmail(services),
    fixTemplate(services),
  ];
}
