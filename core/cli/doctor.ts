import type { Command } from "commander";
import type { CommandLine, Finding } from "./services.js";
import { print } from "./terminal.js";

/** `platen doctor` */
export function addDoctor(doctor: Command, { examine }: CommandLine): void {
  doctor
    .option("--json", "Print [{ check, state, message, fix }]")
    .action(async (options: { json?: boolean }) => {
      const findings = await examine();
      print(options, findings, findings.map(describeFinding).join("\n"));
      if (findings.some(({ state }) => state === "fail")) process.exitCode = 1;
    });
}

function describeFinding({ check, state, message, fix }: Finding): string {
  const line = `${state.padEnd(4)}  ${check.padEnd(13)}  ${message}`;
  return fix === null ? line : `${line}\n${" ".repeat(21)}-> ${fix}`;
}
