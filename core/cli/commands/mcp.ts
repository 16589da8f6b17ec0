import type { Command } from "commander";
import type { WithServices } from "../services.js";

interface Options {
  root?: string;
}

/** `platen mcp --stdio` */
export function addMcp(program: Command, withServices: WithServices): void {
  program
    .command("mcp")
    .description(
      "the tool server for an assistant on this machine, which starts this command and speaks to it over stdin and " +
        "stdout; acts with the key in PLATEN_API_KEY",
    )
    .requiredOption("--stdio", "speak over stdin and stdout")
    .option(
      "--root <folder>",
      "let the assistant upload files from this folder, and from no other",
    )
    .action(({ root }: Options) =>
      withServices(({ runToolServer }) => runToolServer(root ?? null)),
    );
}
