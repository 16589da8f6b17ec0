import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import type { Argument, Command, Option } from "commander";
import { createFullProgram } from "../../core/cli/program.js";
import type { CommandLine } from "../../core/cli/services.js";

// docs/reference/cli.md explains the command line and, below a mark, lists every command. UPDATE_GOLDEN=1 writes the list anew.

const page = "docs/reference/cli.md";
const mark =
  "<!-- Written by UPDATE_GOLDEN=1 npm test -- test/house/cli-page.test.ts -->";

const unused = () => Promise.reject(new Error("no command is run"));
const cli: CommandLine = {
  version: "0.0.0",
  withServices: unused,
  runService: unused,
  examine: unused,
  readVariable: unused,
  withLocalPrinter: unused,
};

function describeCommand(command: Command, path: string): string[] {
  const { commands, options, registeredArguments } = command;
  const isGroup = commands.length > 0;
  const heading = `${isGroup || !path.includes(" ") ? "##" : "###"} platen ${path}`;
  const items = [
    ...registeredArguments.map(describeArgument),
    ...options.map(describeOption),
  ];
  return [
    heading,
    `${command.description()}.`,
    ...command.aliases().map((alias) => `Alias: \`${alias}\`.`),
    ...(items.length > 0 ? [items.join("\n")] : []),
    ...commands.flatMap((one) => describeCommand(one, `${path} ${one.name()}`)),
  ];
}

function describeArgument(argument: Argument): string {
  const choices = argument.argChoices?.join(", ");
  const text = `${argument.description}${choices ? `: ${choices}` : ""}`;
  return argument.required
    ? `- \`<${argument.name()}>\`: ${text}. Required.`
    : `- \`[${argument.name()}]\`: ${text} (default: ${String(argument.defaultValue)}).`;
}

function describeOption(option: Option): string {
  const { flags, description, mandatory, argChoices, defaultValue } = option;
  const choices = argChoices ? `: ${argChoices.join(", ")}` : "";
  const fallback =
    defaultValue === undefined ? "" : ` (default: ${String(defaultValue)})`;
  return `- \`${flags}\`: ${description}${choices}${fallback}.${mandatory ? " Required." : ""}`;
}

describe(page, () => {
  it("lists every command as its help does", async () => {
    const { commands } = await createFullProgram(cli);
    const list = commands.flatMap((one) => describeCommand(one, one.name()));
    const text = readFileSync(page, "utf8");
    const [introduction] = text.split(mark);
    const expected = `${introduction}${mark}\n\n${list.join("\n\n")}\n`;
    if (process.env["UPDATE_GOLDEN"]) writeFileSync(page, expected);
    expect(readFileSync(page, "utf8")).to.equal(expected);
  });
});
