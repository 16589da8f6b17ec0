import type { Command } from "commander";
import { print } from "../output.js";
import type { WithServices } from "../services.js";

/** `platen connection rotate-secret` */
export function connectionRotateSecret(
  connection: Command,
  withServices: WithServices,
): void {
  connection
    .command("rotate-secret")
    .description(
      "encrypt all connections and webhook secrets anew, after PLATEN_SECRET was changed",
    )
    .option("--json", "print { connections, webhooks }")
    .action((options: { json?: boolean }) =>
      withServices(async ({ actor, platforms, events }) => {
        const connections = await (await platforms()).connections.reseal(actor);
        const webhooks = await (await events()).endpoints.reseal();
        const unreadable = [...connections.unreadable, ...webhooks.unreadable];
        const done = `Encrypted anew: ${connections.count} connections, ${webhooks.count} webhook endpoints.`;
        const text =
          unreadable.length === 0
            ? `${done} PLATEN_PREVIOUS_SECRETS is needed for none of them any more.`
            : `${done} No secret that the service has opens: ${unreadable.join(", ")}. Name theirs in PLATEN_PREVIOUS_SECRETS and run this again, or enter them anew.`;
        print(options, { connections, webhooks }, text);
        if (unreadable.length > 0) process.exitCode = 1;
      }),
    );
}
