import type { Command } from "commander";
import { complain, print } from "../output.js";
import type { WithServices } from "../services.js";

interface Options {
  org: string;
  revokeNow?: boolean;
  json?: boolean;
}

/** `platen webhook rotate-secret` */
export function webhookRotateSecret(
  webhook: Command,
  withServices: WithServices,
): void {
  webhook
    .command("rotate-secret")
    .description("give an endpoint a new secret, which is shown this once")
    .argument("<id>", "the endpoint's id, as `platen webhook list` shows it")
    .requiredOption("--org <id>", "the organization")
    .option("--revoke-now", "end the old secret at once")
    .option("--json", "print { id, secret, … }")
    .action((id: string, options: Options) =>
      withServices(async ({ actor, events }) => {
        const { endpoints } = await events();
        const revokeNow = options.revokeNow ?? false;
        const choice = { revokeNow };
        const made = await endpoints.rotateSecret(
          options.org,
          id,
          choice,
          actor,
        );
        if (!options.json) complain(noteOf(made.previousSecretUntil));
        print(options, made, made.secret);
      }),
    );
}

function noteOf(until: string | null): string {
  return until === null
    ? "The old secret has ended. Keep this one: it is shown this once."
    : `The old secret signs too until ${until}. Keep this one: it is shown this once.`;
}
