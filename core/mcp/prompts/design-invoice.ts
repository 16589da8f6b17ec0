import type { Prompt } from "../prompt.js";
import { templateIds } from "../template-ids.js";
import { languages, oneOf } from "./complete-from.js";
import type { PromptServices } from "./index.js";
import { designSteps, task, wishes } from "./user-message.js";

export function designInvoice({ templates }: PromptServices): Prompt {
  return {
    name: "design_invoice",
    title: "Design an invoice",
    description: "Makes an invoice template from a few wishes, and shows it.",
    scope: "templates:write",
    args: {
      company: { description: "Whose invoice it is, and what it sells." },
      style: oneOf("How it should look.", [
        "minimal",
        "modern",
        "classic",
        "bold",
        "elegant",
      ]),
      format: oneOf("The paper.", ["A4", "Letter", "Legal"]),
      language: oneOf("The language of its fixed texts.", languages),
      likeTemplateId: {
        description: "The id of a template whose look is to be kept.",
        complete: (session, typed) => templateIds(templates, session, typed),
      },
    },
    messages: async (_session, given) => [
      task(
        "Design an invoice template: sender and recipient, invoice number and dates, a table of line items from the " +
          "data with its heading repeated on each page, subtotal, tax and total computed from the items, payment terms, " +
          "page numbers.",
        ...designSteps,
      ),
      wishes(given),
    ],
  };
}
