import { spawn } from "node:child_process";
import { once } from "node:events";
import { type Command, InvalidArgumentError, Option } from "commander";
import { clock } from "../lib/clock.js";
import type {
  FileProblem,
  PreviewResult,
  VisualResult,
} from "../template-files/index.js";
import type { CommandLine } from "./services.js";
import { parseTime, print, warn, writeWhole } from "./terminal.js";

// `platen dev` and `platen test`: templates of files on this machine.

const folderHelp = "Templates folder, which has a folder for each template";
const nowOption = () =>
  new Option(
    "--now <time>",
    "What functions such as TODAY() take for the present time",
  ).argParser(parseTime);

interface DevOptions {
  port: number;
  open?: "yes" | "no";
  now?: Date;
  vscode?: boolean;
}

export function addDev(dev: Command, { withLocalPrinter }: CommandLine): void {
  dev
    .argument("[folder]", folderHelp, ".")
    .addOption(
      new Option("--port <n>", "Port on 127.0.0.1; 0 is any free port")
        .default(3100)
        .argParser(parsePort),
    )
    .addOption(
      new Option(
        "--open <choice>",
        "Open the preview in the browser (default: yes in a terminal)",
      ).choices(["yes", "no"]),
    )
    .addOption(nowOption())
    .option(
      "--vscode",
      "Write the settings with which Visual Studio Code completes and checks templates, to .vscode in the folder",
    )
    .addHelpText(
      "after",
      `
A template is a folder with template.json, as \`platen template export\` writes it, or with template.html or template.mjml.
Beside it: style.css, sample.json or samples/*.json, and assets/. Nothing is stored. Stop with Ctrl-C.`,
    )
    .action((folder: string, options: DevOptions) =>
      withLocalPrinter(async (printer) => {
        const { port, now = null } = options;
        const { describeFileProblem, startPreviewServer, writeEditorSettings } =
          await import("../template-files/index.js");
        if (options.vscode)
          for (const file of await writeEditorSettings(folder))
            warn(`Wrote ${file}.`);
        const onResult = createReporter(describeFileProblem);
        const settings = { folder, port, now, onResult };
        const server = await startPreviewServer(printer, settings);
        process.stdout.write(`Preview: ${server.url}\n`);
        if (options.open === "yes" || (!options.open && process.stdout.isTTY))
          openBrowser(server.url);
        await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
        await server.close();
      }),
    );
}

interface TestOptions {
  update?: boolean;
  report?: string;
  tolerance: number;
  now?: Date;
  json?: boolean;
}

export function addTest(
  test: Command,
  { withLocalPrinter }: CommandLine,
): void {
  test
    .argument("[folder]", folderHelp, ".")
    .option("--update", "Store the pictures instead of comparing them")
    .option("--report <file>", "Write an HTML file with the differences")
    .addOption(
      new Option(
        "--tolerance <percent>",
        "Percent of a page's pixels that may differ",
      )
        .default(0)
        .argParser(parsePercent),
    )
    .addOption(nowOption())
    .option("--json", "Print [{ folder, sample, state, pages, problems }]")
    .addHelpText(
      "after",
      `
Makes a document of each sample and compares its pages with <template>/expected/<sample>-<page>.png. The present time is
that of --now, of "$now" in the sample file, or 2026-01-01T12:00:00Z.`,
    )
    .action((folder: string, options: TestOptions) =>
      withLocalPrinter(async (printer) => {
        const { update = false, report, tolerance, now = null } = options;
        const files = await import("../template-files/index.js");
        const results = await files.runVisualTests(printer, {
          folder,
          isUpdate: update,
          tolerance,
          now,
          onResult: (result) => {
            if (options.json) return;
            process.stdout.write(`${files.describeVisualResult(result)}\n`);
            for (const problem of result.problems)
              warn(`  ${files.describeFileProblem(problem)}`);
          },
        });
        if (report !== undefined)
          await writeWhole(
            report,
            files.createTestReport(results, clock.date()),
          );
        const failed = results.filter(({ state }) => state === "failed");
        print(
          options,
          results.map(toJsonResult),
          failed.length === 0
            ? `${results.length} passed.`
            : `${failed.length} of ${results.length} failed. Look at the differences with --report report.html; store the new pictures with --update.`,
        );
        if (failed.length > 0) process.exitCode = 1;
      }),
    );
}

/** Without the pictures. */
function toJsonResult({ pages, ...result }: VisualResult) {
  return {
    ...result,
    pages: pages.map(({ page, state, difference }) => ({
      page,
      state,
      difference,
    })),
  };
}

function parsePercent(text: string): number {
  const percent = Number(text);
  if (text.trim() !== "" && percent >= 0 && percent <= 100) return percent;
  throw new InvalidArgumentError("Give a number from 0 to 100, such as 0.5.");
}

/** Prints what changed about a template: its problems, or that it has none any more. */
function createReporter(describe: (problem: FileProblem) => string) {
  const printed = new Map<string, string>();
  return ({ folder, problems, tookMs }: PreviewResult) => {
    const text = problems.map(describe).join("\n");
    if (text === "") warn(`${folder}: ok (${Math.round(tookMs)} ms)`);
    else if (printed.get(folder) !== text) warn(text);
    printed.set(folder, text);
  };
}

/** A browser that cannot be opened is no reason to stop: the address is printed. */
function openBrowser(url: string): void {
  const [command, ...args] =
    process.platform === "darwin"
      ? ["open", url]
      : process.platform === "win32"
        ? ["cmd", "/c", "start", "", url]
        : ["xdg-open", url];
  if (command === undefined) return;
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}

function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new InvalidArgumentError("Give a port's number, such as 3100.");
}
