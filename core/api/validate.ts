import { z } from "zod";
import { PlatenError } from "../plugin-api/index.js";
import { requestProblems } from "../lib/json/index.js";

const places = {
  body: { root: "$", what: "The body" },
  query: { root: "", what: "The query" },
  params: { root: "", what: "The path" },
} as const;

/** @throws PlatenError `invalid_request` with every problem of this part of the request. */
export function validate(
  schema: z.ZodType | undefined,
  value: unknown,
  place: keyof typeof places,
): unknown {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const { root, what } = places[place];
  const problems = requestProblems(result.error.issues, root, keysOf(schema));
  throw new PlatenError("invalid_request", `${what} is not right.`, {
    problems,
  });
}

function keysOf(schema: z.ZodType): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}
