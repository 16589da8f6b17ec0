import { Command, CommanderError } from "commander";
import type { CommandLine } from "./services.js";

/** A command, or a group of them. Its module is loaded only when it is used. */
interface Entry {
  description: string;
  load(command: Command, cli: CommandLine): Promise<void>;
}

const service: Record<string, Entry> = {
  start: {
    description: "Run the whole service (serve and worker)",
    load: async (command, cli) =>
      (await import("./service.js")).addServiceCommand(command, cli, "all"),
  },
  serve: {
    description: "Answer requests; leave batches and webhooks to workers",
    load: async (command, cli) =>
      (await import("./service.js")).addServiceCommand(command, cli, "serve"),
  },
  worker: {
    description: "Render batches and send webhooks",
    load: async (command, cli) =>
      (await import("./service.js")).addServiceCommand(command, cli, "worker"),
  },
  mcp: {
    description:
      "Run the tool server for an assistant on this machine (Model Context Protocol)",
    load: async (command, cli) =>
      (await import("./service.js")).addMcp(command, cli),
  },
  doctor: {
    description:
      "Check this installation, and say how to fix what is wrong; exits with 1 if anything fails",
    load: async (command, cli) =>
      (await import("./service.js")).addDoctor(command, cli),
  },
};

const documents: Record<string, Entry> = {
  render: {
    description: "Render a document to a file",
    load: async (command, cli) =>
      (await import("./render.js")).addRender(command, cli),
  },
  template: {
    description:
      "Import, export, synchronize and list templates, and check data for them",
    load: async (command, cli) =>
      (await import("./template.js")).addTemplateCommands(command, cli),
  },
  dev: {
    description:
      "Preview the templates of a folder in the browser while you edit them",
    load: async (command, cli) =>
      (await import("./template-files.js")).addDev(command, cli),
  },
  test: {
    description:
      "Compare the documents of a folder's templates with stored pictures; exits with 1 if one differs",
    load: async (command, cli) =>
      (await import("./template-files.js")).addTest(command, cli),
  },
  types: {
    description: "Write TypeScript types for the data of templates",
    load: async (command, cli) =>
      (await import("./types.js")).addTypes(command, cli),
  },
  asset: {
    description: "Upload and list images, videos, PDFs and fonts",
    load: async (command, cli) =>
      (await import("./asset.js")).addAssetCommands(command, cli),
  },
  signature: {
    description: "Manage signature requests",
    load: async (command, cli) =>
      (await import("./signature.js")).addSignatureCommands(command, cli),
  },
};

const administration: Record<string, Entry> = {
  org: {
    description: "Manage organizations",
    load: async (command, cli) =>
      (await import("./org.js")).addOrgCommands(command, cli),
  },
  user: {
    description: "Manage users and how they sign in",
    load: async (command, cli) =>
      (await import("./user.js")).addUserCommands(command, cli),
  },
  key: {
    description: "Manage API keys",
    load: async (command, cli) =>
      (await import("./key.js")).addKeyCommands(command, cli),
  },
  oauth: {
    description: "Manage assistants that people connected by OAuth",
    load: async (command, cli) =>
      (await import("./oauth.js")).addOauthCommands(command, cli),
  },
  webhook: {
    description: "Manage webhook endpoints",
    load: async (command, cli) =>
      (await import("./webhook.js")).addWebhookCommands(command, cli),
  },
  connection: {
    description: "Manage connections to platforms and e-signature providers",
    load: async (command, cli) =>
      (await import("./connection.js")).addConnectionCommands(command, cli),
  },
  certificate: {
    description: "Manage the certificates with which organizations sign PDFs",
    load: async (command, cli) =>
      (await import("./certificate.js")).addCertificateCommands(command, cli),
  },
  link: {
    description: "Manage pages where people without a key render documents",
    load: async (command, cli) =>
      (await import("./link.js")).addLinkCommands(command, cli),
  },
  automation: {
    description: "Manage documents on a schedule or on changes of records",
    load: async (command, cli) =>
      (await import("./automation.js")).addAutomationCommands(command, cli),
  },
  sequence: {
    description: "List sequences of numbers and set their next ones",
    load: async (command, cli) =>
      (await import("./sequence.js")).addSequenceCommands(command, cli),
  },
  plugin: {
    description: "List and check plugins",
    load: async (command, cli) =>
      (await import("./plugin.js")).addPluginCommands(command, cli),
  },
};

const sections = {
  "Service:": service,
  "Documents:": documents,
  "Administration:": administration,
};

/**
 * Runs one command.
 * @returns 0: done, unless the command has set `process.exitCode`. 1: refused or failed. 2: wrong usage.
 */
export async function runProgram(
  args: readonly string[],
  cli: CommandLine,
): Promise<0 | 1 | 2> {
  const program = createProgram(cli.version);
  try {
    if (args.length === 0) program.outputHelp();
    else {
      await loadCommand(program, nameIn(args), cli);
      await program.parseAsync(args, { from: "user" });
    }
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    await reportFailure(error, args.includes("--json"));
    return 1;
  }
}

/** The program with every command in full, as the reference describes it. */
export async function createFullProgram(cli: CommandLine): Promise<Command> {
  const program = createProgram(cli.version);
  for (const command of program.commands)
    await loadCommand(program, command.name(), cli);
  return program;
}

/** Every command with its description alone. */
function createProgram(version: string): Command {
  const program = new Command("platen")
    .description("Platen turns records into documents.")
    .version(version, "-V, --version", "Print the version")
    .helpOption("-h, --help", "Show help")
    .addHelpCommand(
      new Command("help")
        .argument("[command]")
        .description("Show help for a command")
        .helpOption(false)
        .helpGroup("Help:"),
    )
    .optionsGroup("Options:")
    // So that a command may have an option --version of its own.
    .enablePositionalOptions()
    .exitOverride()
    .hook("preAction", (_program, command) => normalizeIds(command))
    .addHelpText(
      "after",
      `
Examples:
  platen start
  platen org list
  platen render --org ID --template ID --data data.json --out invoice.pdf

Commands use the same PLATEN_* variables as the service, which may be running.`,
    );
  for (const [heading, entries] of Object.entries(sections))
    for (const [name, { description }] of Object.entries(entries))
      program.command(name).description(description).helpGroup(heading);
  return program;
}

/** A UUID in upper case is the same id, wherever a command takes an `<id>`. */
async function normalizeIds(command: Command): Promise<void> {
  const { normalizeId } = await import("../lib/ids.js");
  for (const [index, argument] of command.registeredArguments.entries())
    if (argument.name() === "id")
      command.processedArgs[index] = normalizeId(command.processedArgs[index]);
  for (const option of command.options) {
    const name = option.attributeName();
    const id: unknown = command.getOptionValue(name);
    if (option.flags.endsWith("<id>") && typeof id === "string")
      command.setOptionValue(name, normalizeId(id));
  }
}

/** The command that is called, or that help is wanted for. */
function nameIn(args: readonly string[]): string | undefined {
  const [first, second] = args.filter((word) => !word.startsWith("-"));
  return first === "help" ? second : first;
}

async function loadCommand(
  program: Command,
  name: string | undefined,
  cli: CommandLine,
): Promise<void> {
  const command = program.commands.find(
    (candidate) => candidate.name() === name,
  );
  if (command === undefined) return;
  for (const entries of Object.values(sections))
    await entries[command.name()]?.load(command, cli);
}

/** On stderr, in words or, with `--json`, as `{ error, problems }`. */
async function reportFailure(error: unknown, isJson: boolean): Promise<void> {
  const { describeProblem, findUnsaidProblems, PlatenError } =
    await import("../plugin-api/index.js");
  const { warn } = await import("./terminal.js");
  const message = error instanceof Error ? error.message : String(error);
  const isPublic = error instanceof PlatenError;
  const problems = isPublic ? error.problems : [];
  const unsaid = isPublic ? findUnsaidProblems(error) : [];
  warn(
    isJson
      ? JSON.stringify({ error: message, problems })
      : [
          `platen: ${message}`,
          ...unsaid.map((problem) => `  ${describeProblem(problem)}`),
        ].join("\n"),
  );
}
