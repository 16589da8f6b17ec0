import type { Command } from "commander";
import type { ConnectionTest } from "../../integrations/connections/index.js";
import { print } from "../output.js";
import type { WithServices } from "../services.js";

/** `platen connection test` */
export function connectionTest(
  connection: Command,
  withServices: WithServices,
): void {
  connection
    .command("test")
    .description("ask the platform or provider whether a connection works")
    .argument(
      "<id>",
      "the connection's id, as `platen connection list` shows it",
    )
    .requiredOption("--org <id>", "the organization")
    .option("--json", "print { connection, account, warnings }")
    .action((id: string, options: { org: string; json?: boolean }) =>
      withServices(async ({ platforms }) => {
        const { connections } = await platforms();
        const told = await connections.test(options.org, id);
        print(options, told, textOf(told));
        if (told.connection.state === "failing") process.exitCode = 1;
      }),
    );
}

function textOf({ connection, account, warnings }: ConnectionTest): string {
  const { state, lastError } = connection;
  if (state === "failing") return `It does not work. ${lastError ?? ""}`;
  const works = account === null ? "It works." : `It works, as ${account}.`;
  return [works, ...warnings.map((text) => `Warning: ${text}`)].join("\n");
}
