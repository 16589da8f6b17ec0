import type { z } from "zod";
import { PlatenError } from "../../plugin-api/index.js";
import { checkDepth, requestProblems } from "../../lib/json/index.js";

/** What n8n's MCP node adds to every call's arguments, whatever the tool takes. */
const addedByClients = new Set([
  "toolCallId",
  "sessionId",
  "chatInput",
  "action",
  "tool",
]);

type Arguments = Record<string, unknown>;

/**
 * Arguments as the schema wants them. Takes what clients are known to send otherwise: null for what is left out, an
 * object, list, number or boolean as a string of JSON, and names that the client added itself.
 * @throws PlatenError `invalid_request` with every problem, unknown names with a did-you-mean.
 */
export function checkInput(schema: z.ZodObject, given: Arguments): Arguments {
  checkDepth(given, "The arguments are");
  const known = Object.keys(schema.shape);
  const cleaned = withoutAdditions(given, known);
  const result = schema.safeParse(cleaned, { reportInput: true });
  if (result.success) return result.data;
  const again = schema.safeParse(mended(cleaned, result.error.issues), {
    reportInput: true,
  });
  if (again.success) return again.data;
  throw new PlatenError("invalid_request", "The arguments are not right.", {
    problems: requestProblems(again.error.issues, "", known),
  });
}

function withoutAdditions(
  given: Arguments,
  known: readonly string[],
): Arguments {
  const kept = Object.entries(given).filter(
    ([name]) => known.includes(name) || !addedByClients.has(name),
  );
  return Object.fromEntries(kept);
}

/** The arguments at fault read once more: as JSON where they are strings, and as left out where they are null. */
function mended(
  given: Arguments,
  issues: readonly z.core.$ZodIssue[],
): Arguments {
  const mendable = new Set(
    issues
      .filter(({ path }) => path.length === 1)
      .map(({ path }) => String(path[0])),
  );
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      if (!mendable.has(name)) return [[name, value]];
      return value === null ? [] : [[name, fromJson(value)]];
    }),
  );
}

function fromJson(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    const parsed: unknown = JSON.parse(value);
    checkDepth(parsed, "The arguments are");
    return parsed;
  } catch {
    return value;
  }
}
