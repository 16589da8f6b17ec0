import type { PromptMessage } from "@modelcontextprotocol/server";
import type { Scope } from "../accounts/index.js";
import { PAGE_SIZES, type TemplateType } from "../definition/index.js";
import type { Templates, TemplateView } from "../templates/index.js";
import { completeTemplateId } from "./resources.js";
import type { Session } from "./tool.js";

export interface PromptArgument {
  description: string;
  isRequired?: true;
  /** Values that fit what was typed so far, 100 at most. */
  complete?: (session: Session, typed: string) => Promise<string[]>;
}

/** A task that a person picks from a list, with what to say to the assistant. */
export interface Prompt {
  name: string;
  title: string;
  description: string;
  /** Who lacks it neither sees the prompt nor may use it. */
  scope: Scope;
  args: Readonly<Record<string, PromptArgument>>;
  /** @throws PlatenError as the capabilities do. */
  messages(
    session: Session,
    given: Readonly<Record<string, string>>,
  ): Promise<PromptMessage[]>;
}

interface PromptServices {
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

function designInvoice({ templates }: PromptServices): Prompt {
  return {
    name: "design_invoice",
    title: "Design an invoice",
    description:
      "Creates an invoice template from a short description and shows it.",
    scope: "templates:write",
    args: {
      company: { description: "Whose invoice it is, and what it sells." },
      style: argumentWithSuggestions("How it should look.", [
        "minimal",
        "modern",
        "classic",
        "bold",
        "elegant",
      ]),
      format: argumentWithSuggestions(
        "The paper, as create_template takes it: A4, Letter and so on.",
        PAGE_SIZES.filter((size) => size !== "Custom"),
      ),
      ...getDesignArguments(templates),
    },
    messages: async (_session, given) => [
      taskMessage(
        "Design an invoice template: sender and recipient, invoice number and dates, a table of line items from the " +
          "data with its heading repeated on each page, subtotal, tax and total computed from the items, payment terms, " +
          "page numbers.",
        ...createDesignSteps("document"),
      ),
      requestMessage(given),
    ],
  };
}

/** The arguments of every prompt that designs a template. */
function getDesignArguments(templates: Templates) {
  return {
    language: argumentWithSuggestions(
      "The language of its fixed texts.",
      languages,
    ),
    likeTemplateId: {
      description: "The id of a template whose look is to be kept.",
      complete: (session: Session, typed: string) =>
        completeTemplateId(templates, session, typed),
    },
  };
}

function designEmail({ templates }: PromptServices): Prompt {
  return {
    name: "design_email",
    title: "Design an email",
    description:
      "Creates an email template from a short description and shows it.",
    scope: "templates:write",
    args: {
      purpose: argumentWithSuggestions("What the email is for.", [
        "order confirmation",
        "shipping notice",
        "receipt",
        "payment reminder",
        "welcome",
        "invitation",
        "newsletter",
      ]),
      brand: { description: "Whose email it is: name, colors, tone." },
      ...getDesignArguments(templates),
    },
    messages: async (_session, given) => [
      taskMessage(
        'Design an email template (templateType: "email") that reads well on a phone and in every mail program: one ' +
          "column, one clear call to action, a short preview text, alternative texts for images.",
        ...createDesignSteps("email"),
      ),
      requestMessage(given),
    ],
  };
}

function fixTemplate({ templates }: PromptServices): Prompt {
  return {
    name: "fix_template",
    title: "Fix a template",
    description: "Finds out what is wrong with a template and fixes it.",
    scope: "templates:write",
    args: {
      templateId: {
        description: "The template's id.",
        isRequired: true,
        complete: (session, typed) =>
          completeTemplateId(templates, session, typed),
      },
      problem: { description: "What is wrong with it, in your words." },
    },
    async messages({ caller }, given) {
      const id = given["templateId"] ?? "";
      const template = await templates.get(caller.organizationId, id);
      return [
        taskMessage(
          "Fix this template.",
          "1. Read the guide with get_template_ast_guide.",
          `2. Render it with render_document, isTest: true, formats ${formats[template.templateType]}, preview: "all" and the definition's sample as data (or data of the shape that it reads), and look at it.`,
          "3. Find the cause in the definition. Change nothing else, and keep every collectionId.",
          "4. Check the change with edit_template, a patch and dryRun: true, then save it with createVersion: true and a versionNote that says what was fixed.",
          "5. Render and look again. Then tell me what was wrong and what you changed.",
        ),
        requestMessage(given),
        attachTemplate(template),
      ];
    },
  };
}

/** The template as its resource has it, so that nobody has to read it first. */
function attachTemplate(template: TemplateView): PromptMessage {
  return {
    role: "user",
    content: {
      type: "resource",
      resource: {
        uri: `platen://templates/${template.id}`,
        mimeType: "application/json",
        text: JSON.stringify(template),
      },
    },
  };
}

/** What is to be done, in our words. */
function taskMessage(...lines: string[]): PromptMessage {
  return { role: "user", content: { type: "text", text: lines.join("\n") } };
}

/** What the person said, as fields: nothing in them is mistaken for our words. */
function requestMessage(
  given: Readonly<Record<string, string>>,
): PromptMessage {
  const said = Object.entries(given).filter(([, value]) => value.trim() !== "");
  return taskMessage(
    "What I want, as JSON:",
    JSON.stringify(Object.fromEntries(said)),
  );
}

/** What render_document makes of a template to look at it. */
const formats = { document: '["pdf"]', email: '["html"]' } as const;

/** The way from nothing to a template that was looked at. */
function createDesignSteps(type: TemplateType): string[] {
  return [
    "1. Read the guide with get_template_ast_guide.",
    "2. If a template is named to start from, read it with get_template and keep its look; else list_templates may show one worth cloning.",
    "3. Write the definition, with realistic sample data for every field. Check it with create_template and dryRun: true, and fix each problem at its path until none is left.",
    `4. Create it with create_template, then render_document with isTest: true, formats ${formats[type]}, the sample data and preview: "first". Look at the picture: margins, alignment, cut-off text, empty areas.`,
    "5. Improve it with edit_template and a patch, and look again until it is beautiful. Then tell me the template's id and which data it takes.",
  ];
}

/** Offers fixed words; others may be said as well. */
function argumentWithSuggestions(
  description: string,
  words: readonly string[],
): PromptArgument {
  return {
    description,
    complete: async (_session, typed) =>
      words.filter((word) =>
        word.toLowerCase().startsWith(typed.toLowerCase()),
      ),
  };
}

const languages = [
  "English",
  "Arabic",
  "Chinese",
  "Dutch",
  "French",
  "German",
  "Hebrew",
  "Hindi",
  "Italian",
  "Japanese",
  "Korean",
  "Polish",
  "Portuguese",
  "Spanish",
  "Thai",
  "Turkish",
  "Ukrainian",
] as const;
