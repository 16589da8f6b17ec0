import { z } from "zod";
import { type Numbers, sequenceSchema } from "../../documents/index.js";
import { getActor } from "../middleware.js";
import { createDefinition, type Operation } from "../operation.js";

const defineOperation = createDefinition("Documents");

/** Sequences of numbers without gaps, which templates print with `sequence()`. */
export function sequenceOperations(numbers: Numbers): Operation[] {
  return [
    defineOperation({
      id: "listSequences",
      get: "/api/sequences",
      scope: "documents:read",
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
      put: "/api/sequences/:name",
      scope: "templates:write",
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
