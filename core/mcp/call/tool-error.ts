import type { CallToolResult } from "@modelcontextprotocol/server";
import type { PlatenError, Problem } from "../../contract/index.js";
import { argumentPaths } from "./argument-paths.js";
import { jsonText } from "./content.js";

/** As many as an assistant can mend before it asks again; more would only fill its context. */
const mostProblems = 50;

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
  const all = problemsOf(error);
  const problems = argumentPaths(all.slice(0, mostProblems), names);
  const body = {
    error: message,
    code,
    ...(retryable && { retryable }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    problems,
    ...(all.length > mostProblems && {
      furtherProblems: all.length - mostProblems,
    }),
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
