import type { Command } from "commander";
import type { Finding } from "../finding.js";
import { print } from "../output.js";
import type { Examine } from "../services.js";

/** `platen doctor` */
export function addDoctor(program: Command, examine: Examine): void {
  program
    .command("doctor")
    .description("look whether this installation can work, and say what to do")
    .option("--json", "print [{ check, state, message, mend }]")
    .action(async (options: { json?: boolean }) => {
      const findings = await examine();
      print(options, findings, findings.map(linesOf).join("\n"));
      if (findings.some(({ state }) => state === "fail")) process.exitCode = 1;
    });
}

function linesOf({ check, state, message, mend }: Finding): string {
  const line = `${state.padEnd(4)}  ${check.padEnd(13)}  ${message}`;
  return mend === null ? line : `${line}\n${" ".repeat(21)}-> ${mend}`;
}
