import type { Command } from "commander";
import { print } from "../output.js";
import type { WithServices } from "../services.js";

/** `platen link revoke` */
export function linkRevoke(link: Command, withServices: WithServices): void {
  link
    .command("revoke")
    .description("end a link at once and for ever")
    .argument("<id>", "the link's id, as `platen link list` shows it")
    .requiredOption("--org <id>", "the organization")
    .option("--json", "print the link")
    .action((id: string, options: { org: string; json?: boolean }) =>
      withServices(async ({ actor, links }) => {
        const row = await (await links()).revoke(options.org, id, actor);
        print(options, row, `Revoked “${row.name}”.`);
      }),
    );
}
