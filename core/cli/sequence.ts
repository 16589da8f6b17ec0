import { type Command, InvalidArgumentError } from "commander";
import type { CommandLine } from "./services.js";
import { type OfOrg, print, printTable } from "./terminal.js";

interface Change extends OfOrg {
  pattern: string;
  next: number;
  period?: string;
}

export function addSequenceCommands(
  sequence: Command,
  { withServices }: CommandLine,
): void {
  sequence
    .command("list")
    .description("List an organization's sequences and their next numbers")
    .requiredOption("--org <id>", "Organization ID")
    .option("--json", "Print an array")
    .action((options: OfOrg) =>
      withServices(async ({ organizations, numbers }) => {
        const { id } = await organizations.get(options.org);
        const rows = await (await numbers()).list(id);
        printTable(options, rows, {
          NAME: (row) => row.name,
          PERIOD: (row) => row.period,
          NEXT: (row) => row.nextNumber,
          PATTERN: (row) => row.pattern,
          OPEN: (row) => row.open.map(({ number }) => number).join(","),
        });
      }),
    );

  sequence
    .command("set")
    .description("Set the next new number of a sequence")
    .argument("<name>", "The sequence's name, as in sequence(name, pattern)")
    .requiredOption("--org <id>", "Organization ID")
    .requiredOption(
      "--pattern <pattern>",
      "How templates write its numbers, such as RE-{yyyy}-{0000}",
    )
    .requiredOption("--next <n>", "The next new number", parseNumber)
    .option(
      "--period <period>",
      "Year, month or day of the pattern, such as 2026 (default: the present one)",
    )
    .option("--json", "Print the sequence")
    .action((name: string, options: Change) =>
      withServices(async ({ actor, organizations, numbers }) => {
        const { org, pattern, next: nextValue, period } = options;
        const { id } = await organizations.get(org);
        const change = { name, pattern, nextValue, period };
        const changed = await (await numbers()).change(id, change, actor);
        print(
          options,
          changed,
          `The next new number of "${name}" is ${changed.nextNumber}.`,
        );
      }),
    );
}

function parseNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a number from 1 to 999999999.");
}
