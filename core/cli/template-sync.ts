import type { Command } from "commander";
import type { SyncResult, TemplateSync } from "../template-files/index.js";
import type { CommandLine } from "./services.js";
import { print, warn, writeWhole } from "./terminal.js";

interface SyncOptions {
  profile?: string;
  json?: boolean;
}

interface PushOptions extends SyncOptions {
  note?: string;
  dryRun?: boolean;
  force?: boolean;
}

interface PullOptions extends SyncOptions {
  all?: boolean;
  dryRun?: boolean;
  force?: boolean;
}

const folderHelp = "Templates folder with platen.config.json";
const profileHelp =
  "Profile of platen.config.json (default: its defaultProfile, or the only one)";

/** `platen template push`, `pull`, `diff` and `schema` */
export function addSyncCommands(template: Command, cli: CommandLine): void {
  template
    .command("push")
    .description(
      "Create and update an organization's templates from the files of a folder",
    )
    .argument("[folder]", folderHelp, ".")
    .option("--profile <name>", profileHelp)
    .option(
      "--note <text>",
      "Note of the new versions (default: the subject of the git commit)",
    )
    .option("--dry-run", "Say what would be done, and do nothing")
    .option("--force", "Overwrite what others have changed on the service")
    .option("--json", "Print { isDone, items, problems, assets }")
    .addHelpText(
      "after",
      `
Everything is checked first: with one invalid template or conflict, nothing is pushed, and the exit code is 1.
The API key needs the scopes templates:read and templates:write.`,
    )
    .action((folder: string, options: PushOptions) =>
      withSync(cli, folder, options, async (sync) => {
        const { note, dryRun = false, force = false } = options;
        const choice = { note, isDryRun: dryRun, isForced: force };
        const result = await sync.push(choice);
        await report(result, options, "pushed");
      }),
    );

  template
    .command("pull")
    .description("Write an organization's templates to the files of a folder")
    .argument("[folder]", folderHelp, ".")
    .option("--profile <name>", profileHelp)
    .option(
      "--all",
      "Also templates that the folder does not have yet (default: only on the first pull)",
    )
    .option("--dry-run", "Say what would be done, and do nothing")
    .option("--force", "Overwrite files that were changed since the last sync")
    .option("--json", "Print { isDone, items, problems, assets }")
    .action((folder: string, options: PullOptions) =>
      withSync(cli, folder, options, async (sync) => {
        const { all = false, dryRun = false, force = false } = options;
        const choice = { isAll: all, isDryRun: dryRun, isForced: force };
        const result = await sync.pull(choice);
        await report(result, options, "pulled");
      }),
    );

  template
    .command("diff")
    .description(
      "Print what a push would change, as a unified diff; exits with 1 if there is anything",
    )
    .argument("[folder]", folderHelp, ".")
    .option("--profile <name>", profileHelp)
    .option("--json", "Print { diff }")
    .action((folder: string, options: SyncOptions) =>
      withSync(cli, folder, options, async (sync) => {
        const diff = await sync.diff();
        if (options.json) print(options, { diff }, diff);
        else process.stdout.write(diff);
        if (diff !== "") process.exitCode = 1;
      }),
    );

  template
    .command("schema")
    .description("Print the JSON Schema of template.json, for editors")
    .option("-o, --output <file>", "Write to this file instead of stdout")
    .option("--json", "No effect: a JSON Schema is JSON")
    .action(async ({ output }: { output?: string }) => {
      const { createTemplateSchema } =
        await import("../template-files/index.js");
      const text = `${JSON.stringify(createTemplateSchema(), null, 2)}\n`;
      if (output === undefined) process.stdout.write(text);
      else await writeWhole(output, text);
    });
}

async function withSync(
  { readVariable }: CommandLine,
  folder: string,
  { profile: name }: SyncOptions,
  act: (sync: TemplateSync) => Promise<void>,
): Promise<void> {
  const { TemplateSync } = await import("../template-files/index.js");
  const sync = await TemplateSync.open(folder, name, readVariable);
  try {
    await act(sync);
  } finally {
    await sync.close();
  }
}

async function report(
  result: SyncResult,
  options: { json?: boolean; dryRun?: boolean },
  done: "pushed" | "pulled",
): Promise<void> {
  const { describeFileProblem } = await import("../template-files/index.js");
  const { isDone, items, problems, assets } = result;
  if (!isDone) process.exitCode = 1;
  if (options.json) return print(options, result, "");
  for (const problem of problems) warn(describeFileProblem(problem));
  for (const { name, action, message } of items)
    if (message === undefined)
      process.stdout.write(`${action.padEnd(9)}  ${name}\n`);
    else warn(`${action.padEnd(9)}  ${name}: ${message}`);
  const changed = items.filter(({ action }) => action !== "unchanged").length;
  const files = assets === 0 ? "" : `, ${assets} files`;
  const text = isDone
    ? `${options.dryRun ? "Would be " : ""}${done}: ${changed} of ${items.length}${files}.`
    : `Nothing was ${done}.`;
  print(options, result, text);
}
