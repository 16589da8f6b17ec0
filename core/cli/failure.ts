import { CommanderError } from "commander";
import { PlatenError } from "../plugin-api/index.js";
import { complain, problemLine } from "./output.js";

/** 0: done. 1: refused or failed. 2: the command was not typed right. */
export type ExitCode = 0 | 1 | 2;

/** Says on stderr what went wrong, with `--json` as `{ error, problems }`, and with which code the program ends. */
export function reportFailure(error: unknown, isJson: boolean): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  complain(isJson ? failureJson(error) : failureText(error));
  return 1;
}

function failureJson(error: unknown): string {
  const problems = error instanceof PlatenError ? error.problems : [];
  return JSON.stringify({ error: messageOf(error), problems });
}

function failureText(error: unknown): string {
  const problems = error instanceof PlatenError ? error.problems : [];
  return [`platen: ${messageOf(error)}`, ...problems.map(problemLine)].join(
    "\n",
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
