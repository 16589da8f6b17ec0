import type { Problem } from "../../plugin-api/index.js";

/** As many as an assistant can mend before it asks again; more would only fill its context. */
const most = 50;

const FURTHER = {
  problems: "furtherProblems",
  warnings: "furtherWarnings",
} as const;

/** The first problems or warnings as a part of an answer, and how many there are beyond them. */
export function listProblems(
  kind: keyof typeof FURTHER,
  all: readonly Problem[],
) {
  const further = all.length - most;
  return {
    [kind]: all.slice(0, most),
    ...(further > 0 && { [FURTHER[kind]]: further }),
  };
}
