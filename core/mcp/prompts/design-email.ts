import type { Prompt } from "../prompt.js";
import { templateIds } from "../template-ids.js";
import { languages, oneOf } from "./complete-from.js";
import type { PromptServices } from "./index.js";
import { designSteps, task, wishes } from "./user-message.js";

export function designEmail({ templates }: PromptServices): Prompt {
  return {
    name: "design_email",
    title: "Design an email",
    description: "Makes an email template from a few wishes, and shows it.",
    scope: "templates:write",
    args: {
      purpose: oneOf("What the email is for.", [
        "order confirmation",
        "shipping notice",
        "receipt",
        "payment reminder",
        "welcome",
        "invitation",
        "newsletter",
      ]),
      brand: { description: "Whose email it is: name, colours, tone." },
      language: oneOf("The language of its fixed texts.", languages),
      likeTemplateId: {
        description: "The id of a template whose look is to be kept.",
        complete: (session, typed) => templateIds(templates, session, typed),
      },
    },
    messages: async (_session, given) => [
      task(
        'Design an email template (templateType: "email") that reads well on a phone and in every mail program: one ' +
          "column, one clear call to action, a short preview text, alternative texts for images. Render it as html, and " +
          "as image to look at it.",
        ...designSteps,
      ),
      wishes(given),
    ],
  };
}
