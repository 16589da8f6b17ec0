import { z } from "zod";
import type { Assets } from "../../assets/index.js";
import { PAGE_SIZES } from "../../definition/index.js";
import type {
  DataValidation,
  Documents,
  DraftPreviews,
  RenderRequestedDocument,
} from "../../documents/index.js";
import { normalizeId } from "../../lib/ids.js";
import type {
  Brands,
  Partials,
  TemplateEditor,
  Templates,
} from "../../templates/index.js";

export interface ToolServices {
  templates: Templates;
  templateEditor: TemplateEditor;
  partials: Partials;
  brands: Brands;
  draftPreviews: DraftPreviews;
  documents: Documents;
  renderDocument: RenderRequestedDocument;
  dataValidation: DataValidation;
  renderTimeoutMs: number;
  assets: Assets;
  /** The folder that a local server's callers may upload from; null for a hosted server. */
  assetRoot: string | null;
}

// Arguments that several tools take, in the same words.

/** An id; a UUID in upper case is the same id. */
export const idInput = z.string().overwrite(normalizeId);

export const templateIdInput = idInput.meta({
  description: "The template's id, a UUID.",
});

export const assetIdInput = idInput.meta({
  description: "The asset's id, a UUID.",
});

export const nameInput = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(255, "must be at most 255 characters long");

export const descriptionInput = z
  .string()
  .max(10_000, "must be at most 10000 characters long");

/** Validated by the templates capability, which reports every problem. */
export const definitionInput = z.looseObject({}).meta({
  description:
    "The whole definition (ProjectData): an object with schema and components, as get_template_ast_guide describes it.",
});

export const formatInput = z.enum(PAGE_SIZES).meta({
  description:
    "Sets page.size of a document template. Custom needs page.width and page.height in the definition. Emails have none.",
});

export const isLandscapeInput = z.boolean().meta({
  description: "Sets page.landscape of a document template.",
});

export const dryRunInput = z.boolean().meta({
  description:
    "True: save nothing; answer with every problem and warning and, when there is no problem, a picture of the first page " +
    "with the definition's sample data.",
});

export const includeDefinitionInput = z.boolean().meta({
  description:
    "True: with the definition, however long. False: without it. Left out: with it unless it is very long.",
});

/** Smaller than REST's: an answer of some 25,000 tokens is cut off by clients. */
export const pageInput = z
  .int()
  .min(1, "must be at least 1")
  .max(1_000_000, "must be at most 1000000")
  .meta({ description: "1-based. Default 1." });

export const pageSizeInput = z
  .int()
  .min(1, "must be from 1 to 100")
  .max(100, "must be from 1 to 100")
  .meta({ description: "1 to 100. Default 20." });

export const limitInput = z
  .int()
  .min(1, "must be from 1 to 100")
  .max(100, "must be from 1 to 100")
  .meta({ description: "How many, 1 to 100. Default 20." });

export const offsetInput = z
  .int()
  .min(0, "must be at least 0")
  .max(100_000_000, "must be at most 100000000")
  .meta({ description: "How many of the newest to pass over. Default 0." });

export const defaultLimit = 20;

export const readOnlyHints = {
  readOnlyHint: true,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** What adds something each time it is called. */
export const createHints = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
} as const;

/** What can be taken back, and is the same when it is done twice. */
export const trashHints = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
} as const;

export const paginationOutput = z.looseObject({
  page: z.number(),
  pageSize: z.number(),
  total: z.number(),
});

export function truncate<T extends string | null>(
  text: T,
  longest = 300,
): T | string {
  if (text === null || text.length <= longest) return text;
  const letters = Array.from(text).slice(0, longest).join("");
  return `${letters}…`;
}

/** Characters of JSON, at most some 16,000 tokens: clients cut off an answer at 25,000. */
const maxDefinitionLength = 48_000;

/** Includes the definition if requested, or by default unless it is very long; reports when it is omitted. */
export function definitionIfShort(
  definition: Record<string, unknown>,
  isAskedFor: boolean | undefined,
) {
  const characters = JSON.stringify(definition).length;
  if (isAskedFor ?? characters <= maxDefinitionLength) return { definition };
  const hint = "Call again with includeDefinition: true to get it.";
  return { definitionLeftOut: { characters, hint } };
}
