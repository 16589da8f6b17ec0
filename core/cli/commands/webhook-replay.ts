import { type Command, Option } from "commander";
import { PlatenError } from "../../plugin-api/index.js";
import type { EndedStatus } from "../../webhooks/index.js";
import { moment } from "../moment.js";
import { print } from "../output.js";
import type { CliServices, WithServices } from "../services.js";

interface Options {
  org: string;
  delivery?: string;
  since?: Date;
  until?: Date;
  status?: EndedStatus;
  json?: boolean;
}

/** `platen webhook replay` */
export function webhookReplay(
  webhook: Command,
  withServices: WithServices,
): void {
  webhook
    .command("replay")
    .description("send one delivery, or those of a time, again")
    .argument("<id>", "the endpoint's id, as `platen webhook list` shows it")
    .requiredOption("--org <id>", "the organization")
    .option("--delivery <id>", "this one")
    .option("--since <time>", "all that were made from then on", moment)
    .option("--until <time>", "until when; default: now", moment)
    .addOption(
      new Option("--status <word>", "only these").choices([
        "delivered",
        "exhausted",
      ]),
    )
    .option("--json", "print { count }")
    .action((id: string, options: Options) =>
      withServices(async (services) => {
        const done = { count: await replay(services, id, options) };
        const text = `${done.count} on the way again; the service's workers send them.`;
        print(options, done, text);
      }),
    );
}

async function replay(
  { events }: CliServices,
  id: string,
  { org, delivery, since, until = new Date(), status }: Options,
): Promise<number> {
  const { deliveries } = await events();
  if (delivery !== undefined) {
    await deliveries.replay(org, id, delivery);
    return 1;
  }
  if (since === undefined)
    throw new PlatenError(
      "invalid_request",
      "Say what to replay: --delivery <id>, or --since <time>.",
    );
  const range = { since, until, status };
  return (await deliveries.replayRange(org, id, range)).count;
}
