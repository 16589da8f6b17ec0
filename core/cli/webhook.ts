import { type Command, Option } from "commander";
import { clock } from "../lib/clock.js";
import { PlatenError } from "../plugin-api/index.js";
import type {
  DeliveryDetail,
  EndedStatus,
  EndpointView,
} from "../webhooks/index.js";
import type { CliServices, CommandLine } from "./services.js";
import {
  parseList,
  parseTime,
  print,
  warn,
  type OfOrg,
  printTable,
} from "./terminal.js";

interface NewEndpoint extends OfOrg {
  url: string;
  events: string;
  description?: string;
}

interface Replay extends OfOrg {
  delivery?: string;
  since?: Date;
  until?: Date;
  status?: EndedStatus;
}

export function addWebhookCommands(
  webhook: Command,
  { withServices }: CommandLine,
): void {
  const id = [
    "<id>",
    "Endpoint ID, as shown by `platen webhook list`",
  ] as const;
  const org = ["--org <id>", "Organization ID"] as const;

  webhook
    .command("create")
    .description("Register an endpoint; its secret is shown only once")
    .requiredOption(...org)
    .requiredOption("--url <url>", "Where events are sent")
    .option(
      "--events <list>",
      "Event types, separated by commas; all has every one except document.saved and documents.saved",
      "all",
    )
    .option("--description <text>", "What the endpoint is for")
    .option("--json", "Print { id, secret, … }")
    .action((options: NewEndpoint) =>
      withServices(async ({ actor, organizations, events }) => {
        const { url, description } = options;
        const { id: organizationId } = await organizations.get(options.org);
        const { endpoints } = await events();
        const types =
          options.events.trim() === "all"
            ? undefined
            : parseList(options.events);
        const created = await endpoints.create(
          organizationId,
          { url, description, events: types },
          actor,
        );
        if (!options.json)
          warn(
            `Endpoint ${created.id}. Save its secret: it is shown this once.`,
          );
        print(options, created, created.secret);
      }),
    );

  webhook
    .command("list")
    .description("List an organization's endpoints, never their secrets")
    .requiredOption(...org)
    .option("--json", "Print an array")
    .action((options: OfOrg) =>
      withServices(async ({ organizations, events }) => {
        const { id: organizationId } = await organizations.get(options.org);
        const { endpoints } = await events();
        // An organization has less than a page of them.
        const page = { page: 1, pageSize: 100 };
        const { data: rows } = await endpoints.list(organizationId, page);
        printTable(options, rows, {
          ID: (row) => row.id,
          URL: (row) => row.url,
          STATE: (row) => endpointState(row),
          EVENTS: (row) => row.events.join(","),
        });
      }),
    );

  webhook
    .command("test")
    .description("Send a test event now and print the outcome")
    .argument(...id)
    .requiredOption(...org)
    .option("--json", "Print the delivery with its attempt")
    .action((endpointId: string, options: OfOrg) =>
      withServices(async ({ events }) => {
        const { deliveries } = await events();
        const sent = await deliveries.test(options.org, endpointId);
        print(options, sent, testOutcome(sent));
      }),
    );

  webhook
    .command("rotate-secret")
    .description("Give an endpoint a new secret, which is shown only once")
    .argument(...id)
    .requiredOption(...org)
    .option("--revoke-now", "Stop signing with the old secret at once")
    .option("--json", "Print { id, secret, … }")
    .action((endpointId: string, options: OfOrg & { revokeNow?: boolean }) =>
      withServices(async ({ actor, events }) => {
        const { endpoints } = await events();
        const rotated = await endpoints.rotateSecret(
          options.org,
          endpointId,
          { revokeNow: options.revokeNow ?? false },
          actor,
        );
        const { previousSecretUntil: until } = rotated;
        const old =
          until === null
            ? "The old secret is no longer used."
            : `The old secret signs as well until ${until}.`;
        if (!options.json)
          warn(`${old} Save the new one: it is shown this once.`);
        print(options, rotated, rotated.secret);
      }),
    );

  addSwitch("disable", "Stop sending events to an endpoint, pending ones too");
  addSwitch("enable", "Send events to a disabled endpoint again");

  webhook
    .command("replay")
    .description("Send one delivery again, or all of a period")
    .argument(...id)
    .requiredOption(...org)
    .option("--delivery <id>", "Send this delivery again")
    .option(
      "--since <time>",
      "Send those created at or after this time",
      parseTime,
    )
    .option("--until <time>", "End of the period (default: now)", parseTime)
    .addOption(
      new Option(
        "--status <status>",
        "Only deliveries with this status",
      ).choices(["delivered", "exhausted"]),
    )
    .option("--json", "Print { count }")
    .action((endpointId: string, options: Replay) =>
      withServices(async (services) => {
        const count = await replay(services, endpointId, options);
        const noun = count === 1 ? "delivery" : "deliveries";
        const text = `${count} ${noun} queued; the service's workers send them.`;
        print(options, { count }, text);
      }),
    );

  function addSwitch(name: "enable" | "disable", description: string) {
    webhook
      .command(name)
      .description(description)
      .argument(...id)
      .requiredOption(...org)
      .option("--json", "Print the endpoint")
      .action((endpointId: string, options: OfOrg) =>
        withServices(async ({ actor, events }) => {
          const { endpoints } = await events();
          const row = await endpoints.change(
            options.org,
            endpointId,
            { isEnabled: name === "enable" },
            actor,
          );
          const done = name === "enable" ? "Enabled" : "Disabled";
          print(options, row, `${done} ${row.url}.`);
        }),
      );
  }
}

function endpointState({
  isEnabled,
  disabledReason,
  failingSince,
}: EndpointView): string {
  if (!isEnabled) return `disabled: ${disabledReason ?? "by its owner"}`;
  return failingSince === null ? "enabled" : `failing since ${failingSince}`;
}

function testOutcome({
  status,
  lastStatus,
  lastError,
  attempts,
}: DeliveryDetail): string {
  const took = `${attempts[0]?.durationMs ?? 0} ms`;
  return status === "delivered"
    ? `Delivered: the receiver answered ${lastStatus} after ${took}.`
    : `Not delivered after ${took}. ${lastError ?? ""}`.trimEnd();
}

async function replay(
  { events }: CliServices,
  id: string,
  { org, delivery, since, until = clock.date(), status }: Replay,
): Promise<number> {
  const { deliveries } = await events();
  if (delivery !== undefined) {
    await deliveries.replay(org, id, delivery);
    return 1;
  }
  if (since === undefined)
    throw new PlatenError(
      "invalid_request",
      "Choose what to replay: --delivery <id>, or --since <time>.",
    );
  const range = { since, until, status };
  return (await deliveries.replayRange(org, id, range)).count;
}
