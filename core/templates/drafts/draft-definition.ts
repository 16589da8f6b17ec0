import { PlatenError } from "../../plugin-api/index.js";

const mostBytes = 2 * 1024 * 1024;

/**
 * What may be stored as a draft: it has the outer form of a definition, and may have any problem besides.
 * @throws PlatenError `invalid_request`, `too_large` over 2 MiB of JSON.
 */
export function draftDefinition(written: unknown): Record<string, unknown> {
  if (!isObject(written)) throw refused("$.definition", "must be an object.");
  for (const part of ["schema", "components"])
    if (!Array.isArray(written[part]))
      throw refused(`$.definition.${part}`, "must be an array.");
  if (Buffer.byteLength(JSON.stringify(written)) > mostBytes)
    throw new PlatenError(
      "too_large",
      `The draft is larger than ${mostBytes} bytes. Take large texts or samples out of it.`,
    );
  return written;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refused(path: string, message: string): PlatenError {
  const problems = [{ path, code: "invalid_value", message }];
  return new PlatenError("invalid_request", `${path}: ${message}`, {
    problems,
  });
}
