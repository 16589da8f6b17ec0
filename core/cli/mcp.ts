import type { Command } from "commander";
import type { CommandLine } from "./services.js";

/** `platen mcp --stdio` */
export function addMcp(mcp: Command, { withServices }: CommandLine): void {
  mcp
    .requiredOption("--stdio", "Communicate over stdin and stdout")
    .option(
      "--root <folder>",
      "Allow the assistant to upload files from this folder (default: none)",
    )
    .addHelpText(
      "after",
      "\nThe assistant starts this command itself. It acts with the API key in PLATEN_API_KEY.",
    )
    .action(({ root }: { root?: string }) =>
      withServices(({ runToolServer }) => runToolServer(root ?? null)),
    );
}
