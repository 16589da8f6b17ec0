import { z } from "zod";
import { PAGE_SIZES } from "../../definition/index.js";

// Arguments that several tools take, in the same words.

export const templateId = z
  .string()
  .meta({ description: "The template's id, a UUID." });

export const assetId = z
  .string()
  .meta({ description: "The asset's id, a UUID." });

export const name = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(255, "must be at most 255 characters long");

export const description = z
  .string()
  .max(10_000, "must be at most 10000 characters long");

/** Checked by the document room, which tells every problem of it. */
export const definition = z.looseObject({}).meta({
  description:
    "The whole definition (ProjectData): an object with schema and components, as get_template_ast_guide describes it.",
});

export const format = z.enum(PAGE_SIZES).meta({
  description:
    "Sets page.size of a document template. Custom needs page.width and page.height in the definition. Emails have none.",
});

export const isLandscape = z.boolean().meta({
  description: "Sets page.landscape of a document template.",
});

export const dryRun = z.boolean().meta({
  description:
    "True: save nothing; answer with every problem and warning and, when there is no problem, a picture of the first page " +
    "with the definition's sample data.",
});

export const includeDefinition = z.boolean().meta({
  description:
    "True: with the definition, however long. False: without it. Left out: with it unless it is very long.",
});

/** Smaller than REST's: an answer of some 25,000 tokens is cut off by clients. */
export const page = z
  .int()
  .min(1, "must be at least 1")
  .max(1_000_000, "must be at most 1000000")
  .meta({ description: "1-based. Default 1." });

export const pageSize = z
  .int()
  .min(1, "must be from 1 to 100")
  .max(100, "must be from 1 to 100")
  .meta({ description: "1 to 100. Default 20." });

export const limit = z
  .int()
  .min(1, "must be from 1 to 100")
  .max(100, "must be from 1 to 100")
  .meta({ description: "How many, 1 to 100. Default 20." });

export const offset = z
  .int()
  .min(0, "must be at least 0")
  .max(100_000_000, "must be at most 100000000")
  .meta({ description: "How many of the newest to pass over. Default 0." });

export const DEFAULT_LIMIT = 20;

/** What is read, and changes nothing. */
export const READS = {
  readOnlyHint: true,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** What adds something each time it is called. */
export const ADDS = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
} as const;

/** What can be taken back, and is the same when it is done twice. */
export const TRASHES = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
} as const;
