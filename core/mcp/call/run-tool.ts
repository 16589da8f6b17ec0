import type { CallToolResult } from "@modelcontextprotocol/server";
import { requireScope } from "../../accounts/index.js";
import { PlatenError } from "../../plugin-api/index.js";
import type { Tool, ToolCall } from "../tool.js";
import { checkInput } from "./check-input.js";
import { publicError } from "./public-error.js";
import { toolError } from "./tool-error.js";

/** How a call ended, for the log and the metrics. */
export interface CallEnd {
  tool: string;
  /** `ok`, or the code of the error. */
  outcome: string;
  milliseconds: number;
}

type Given = Omit<ToolCall<unknown>, "input"> & {
  arguments: Record<string, unknown>;
};

/** Runs a tool once. Never rejects: what goes wrong becomes an answer that says how to mend it. */
export async function runTool(
  tool: Tool,
  given: Given,
  ended: (end: CallEnd) => void,
): Promise<CallToolResult> {
  const start = performance.now();
  const end = (outcome: string) =>
    ended({
      tool: tool.name,
      outcome,
      milliseconds: performance.now() - start,
    });
  try {
    const answer = await answerOf(tool, given);
    end(answer.isError ? "refused" : "ok");
    return answer;
  } catch (thrown) {
    // Whatever a call ends with that its client has given up is no fault of the service's.
    const error = given.signal.aborted
      ? cancelled(thrown)
      : publicError(thrown, given.log);
    end(error.code);
    return toolError(error, Object.keys(tool.input.shape));
  }
}

async function answerOf(
  tool: Tool,
  { arguments: args, ...call }: Given,
): Promise<CallToolResult> {
  requireScope(call.caller, tool.scope);
  const input = checkInput(tool.input, args);
  if (call.signal.aborted) throw cancelled();
  return tool.answer({ ...call, input });
}

function cancelled(cause?: unknown): PlatenError {
  return new PlatenError("timeout", "The call was cancelled.", { cause });
}
