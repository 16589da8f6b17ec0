import type { CallToolResult } from "@modelcontextprotocol/server";
import type { PlatenError, Problem } from "../../plugin-api/index.js";
import { argumentPaths } from "./argument-paths.js";
import { jsonText } from "./content.js";
import { listProblems } from "./list-problems.js";

/**
 * A refusal as an answer that the assistant reads: every problem with where it is and how to mend it. Without structured
 * content: what does not match a tool's output makes clients throw, and hides the message.
 * @param names the tool's arguments.
 */
export function toolError(
  error: PlatenError,
  names: readonly string[],
): CallToolResult {
  const { code, message, retryable, retryAfterSeconds } = error;
  const body = {
    error: message,
    code,
    ...(retryable && { retryable }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...listProblems("problems", argumentPaths(problemsOf(error), names)),
  };
  return { isError: true, content: [jsonText(body)] };
}

/** An error that concerns the whole call is one problem of the whole. */
function problemsOf({
  problems,
  code,
  message,
}: PlatenError): readonly Problem[] {
  return problems.length > 0 ? problems : [{ path: "$", code, message }];
}
