import type { Command } from "commander";
import { print } from "../output.js";
import type { WithServices } from "../services.js";

/** `platen webhook enable` */
export function webhookEnable(
  webhook: Command,
  withServices: WithServices,
): void {
  addSwitch(webhook, withServices, true);
}

/** `platen webhook disable` */
export function webhookDisable(
  webhook: Command,
  withServices: WithServices,
): void {
  addSwitch(webhook, withServices, false);
}

function addSwitch(
  webhook: Command,
  withServices: WithServices,
  isEnabled: boolean,
): void {
  webhook
    .command(isEnabled ? "enable" : "disable")
    .description(
      isEnabled
        ? "send events to an endpoint again"
        : "send nothing to an endpoint any more, not even what is on its way",
    )
    .argument("<id>", "the endpoint's id, as `platen webhook list` shows it")
    .requiredOption("--org <id>", "the organization")
    .option("--json", "print the endpoint")
    .action((id: string, options: { org: string; json?: boolean }) =>
      withServices(async ({ actor, events }) => {
        const { endpoints } = await events();
        const patch = { isEnabled };
        const row = await endpoints.change(options.org, id, patch, actor);
        const word = isEnabled ? "Enabled" : "Disabled";
        print(options, row, `${word} ${row.url}.`);
      }),
    );
}
