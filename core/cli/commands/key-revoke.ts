import type { Command } from "commander";
import { print } from "../output.js";
import type { WithServices } from "../services.js";

/** `platen key revoke` */
export function keyRevoke(key: Command, withServices: WithServices): void {
  key
    .command("revoke")
    .description("end a key for ever")
    .argument("<id>", "the key's id, as `platen key list` shows it")
    .option("--json", "print the key's record")
    .action((id: string, options: { json?: boolean }) =>
      withServices(async ({ actor, keys }) => {
        const revoked = await keys.revoke(id, actor);
        const text = `Revoked ${revoked.prefix}… (${revoked.name}).`;
        print(options, revoked, text);
      }),
    );
}
