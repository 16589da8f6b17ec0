import { z } from "zod";
import type { Numbers } from "../../documents/index.js";
import { getActor } from "../middleware.js";
import { defineOperation, type Operation } from "../operation.js";
import { timestampSchema } from "../../lib/schemas.js";

const sequenceSchema = z
  .strictObject({
    name: z.string(),
    period: z.string().meta({
      description:
        "What the pattern has of the date, such as `2026`: the numbers of each period begin with 1. Empty for a pattern without a date.",
    }),
    pattern: z.string().meta({
      description:
        "How the document with the newest number writes it, such as `RE-{yyyy}-{0000}`.",
    }),
    nextValue: z.int().meta({ description: "The next new number." }),
    nextNumber: z.string().meta({
      description: "The next new number as its document prints it.",
      example: "RE-2026-0418",
    }),
    open: z
      .array(
        z.strictObject({
          value: z.int(),
          number: z.string(),
          documentId: z.string().nullable().meta({
            description:
              "The document that is rendered with it; null when it is free.",
          }),
        }),
      )
      .meta({
        description:
          "Lower numbers that no finished document has: of documents that are rendered now, and of failed ones, whose numbers the next documents get. The first 100.",
      }),
    updatedAt: timestampSchema,
  })
  .meta({ id: "Sequence" });

const tag = "Documents";

/** Sequences of numbers without gaps, which templates print with `sequence()`. */
export function sequenceOperations(numbers: Numbers): Operation[] {
  return [
    defineOperation({
      id: "listSequences",
      method: "get",
      path: "/api/sequences",
      scope: "documents:read",
      tag,
      summary: "List sequences of numbers",
      description:
        "The sequences that documents have taken numbers of with `sequence()`, by name and newest period first; at most 500.",
      reply: {
        description: "The sequences.",
        schema: z.strictObject({ data: z.array(sequenceSchema) }),
      },
      handle: async ({ caller }) => ({
        data: await numbers.list(caller.organizationId),
      }),
    }),
    defineOperation({
      id: "changeSequence",
      method: "put",
      path: "/api/sequences/:name",
      scope: "templates:write",
      tag,
      summary: "Set the next number of a sequence",
      description:
        "To go on where another system has stopped. A number that a document has, or has reserved, is a 409. The change is written to the audit log.",
      params: z.object({ name: z.string() }),
      body: z
        .strictObject({
          pattern: z.string().max(64),
          period: z.string().max(16).optional().meta({
            description: "Default: the present one.",
          }),
          nextValue: z.int().min(1).max(999_999_999),
        })
        .meta({
          id: "SequenceChange",
          example: { pattern: "RE-{yyyy}-{0000}", nextValue: 418 },
        }),
      reply: { description: "The sequence.", schema: sequenceSchema },
      errors: [409],
      handle: ({ caller, params, body }) =>
        numbers.change(
          caller.organizationId,
          { ...body, name: params.name },
          getActor(caller),
        ),
    }),
  ];
}
