import { Argument, type Command } from "commander";
import { APP_ROLES, type AppRole } from "../../plugin-api/index.js";
import { print } from "../output.js";
import type { WithServices } from "../services.js";

/** `platen user role` */
export function userRole(user: Command, withServices: WithServices): void {
  user
    .command("role")
    .description("give a person another role, which signs them out")
    .argument("<email>", "the person's e-mail address")
    .addArgument(new Argument("<role>", "the new role").choices(APP_ROLES))
    .option("--org <id>", "the organization, if the person is in several")
    .option("--json", "print { userId, organizationId, role }")
    .action(
      (
        email: string,
        role: AppRole,
        options: { org?: string; json?: boolean },
      ) =>
        withServices(async ({ actor, members }) => {
          const member = await members.find(email, options.org);
          await members.changeRole(member, role, actor);
          print(options, { ...member, role }, `${email} is ${role} now.`);
        }),
    );
}
