import { PlatenError, type Problem } from "../../plugin-api/index.js";
import type { RecordsRequest } from "./records-request.js";

const longestId = 255;

/** @throws PlatenError `invalid_request` for records that cannot be asked for, before anybody is asked. */
export function checkRequest({ recordIds }: RecordsRequest): void {
  const seen = new Set<string>();
  const problems: Problem[] = [];
  for (const [at, id] of recordIds.entries()) {
    const message = faultOf(id, seen);
    seen.add(id);
    if (message !== null)
      problems.push({ path: `$.recordIds[${at}]`, code: "record", message });
  }
  if (recordIds.length === 0)
    problems.push({
      path: "$.recordIds",
      code: "too_small",
      message: "must hold at least 1.",
    });
  if (problems.length > 0)
    throw new PlatenError("invalid_request", "The records are not right.", {
      problems,
    });
}

function faultOf(id: string, seen: ReadonlySet<string>): string | null {
  if (id === "" || id.length > longestId)
    return `must have 1 to ${longestId} characters.`;
  return seen.has(id) ? `names "${id}" for the second time.` : null;
}
