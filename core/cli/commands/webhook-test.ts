import type { Command } from "commander";
import type { DeliveryDetail } from "../../webhooks/index.js";
import { print } from "../output.js";
import type { WithServices } from "../services.js";

/** `platen webhook test` */
export function webhookTest(
  webhook: Command,
  withServices: WithServices,
): void {
  webhook
    .command("test")
    .description("send a test at once and tell what came of it")
    .argument("<id>", "the endpoint's id, as `platen webhook list` shows it")
    .requiredOption("--org <id>", "the organization")
    .option("--json", "print the delivery with its attempt")
    .action((id: string, options: { org: string; json?: boolean }) =>
      withServices(async ({ events }) => {
        const { deliveries } = await events();
        const sent = await deliveries.test(options.org, id);
        print(options, sent, textOf(sent));
      }),
    );
}

function textOf({ status, lastStatus, lastError, attempts }: DeliveryDetail) {
  const took = `${attempts[0]?.durationMs ?? 0} ms`;
  return status === "delivered"
    ? `Delivered: the receiver answered ${lastStatus} after ${took}.`
    : `Not delivered after ${took}. ${lastError ?? ""}`.trimEnd();
}
