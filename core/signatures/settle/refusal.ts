import { PlatenError, type Problem } from "../../plugin-api/index.js";

/** @throws PlatenError `invalid_request` with all of them, when there are any. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  throw new PlatenError(
    "invalid_request",
    "This cannot be sent for signature.",
    { problems },
  );
}

export function problem(
  path: string,
  code: string,
  message: string,
  hint?: string,
): Problem {
  return { path, code, message, ...(hint !== undefined && { hint }) };
}
