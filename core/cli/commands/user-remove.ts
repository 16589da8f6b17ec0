import type { Command } from "commander";
import { complain, print } from "../output.js";
import type { WithServices } from "../services.js";

/** `platen user remove` */
export function userRemove(user: Command, withServices: WithServices): void {
  user
    .command("remove")
    .description("take a person out of an organization, and sign them out")
    .argument("<email>", "the person's e-mail address")
    .option("--org <id>", "the organization, if the person is in several")
    .option("--json", "print { userId, organizationId, keys }")
    .action((email: string, options: { org?: string; json?: boolean }) =>
      withServices(async ({ actor, members }) => {
        const member = await members.find(email, options.org);
        const { userId, organizationId } = member;
        const { keys } = await members.remove(member, actor);
        const removed = { userId, organizationId, keys };
        print(options, removed, `${email} was removed and signed out.`);
        if (keys > 0)
          complain(
            `${keys} API ${keys === 1 ? "key" : "keys"} in this name still work: see platen key list --org ${organizationId}`,
          );
      }),
    );
}
