import { PlatenError, type Problem } from "./errors.js";

const mostProblems = 50;

/** The public text of an error, each problem with its path. Of what is no error of ours, it tells nothing. */
export function errorText(error: unknown): string {
  if (!(error instanceof PlatenError)) return "An unexpected fault.";
  const listed = error.problems.slice(0, mostProblems).map(problemText);
  const more = error.problems.length - listed.length;
  if (more > 0) listed.push(`and ${more} more`);
  if (listed.length === 0) return error.message;
  return `${error.message} ${listed.join("; ")}.`.replace(/\?\.$/, "?");
}

function problemText({ path, message, hint }: Problem): string {
  const text = `${path}: ${[message, hint].filter(Boolean).join(" ")}`;
  return text.replace(/\.$/, "");
}
