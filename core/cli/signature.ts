import type { Command } from "commander";
import type { SignatureDetail } from "../signatures/index.js";
import type { CommandLine } from "./services.js";
import {
  print,
  printTable,
  properties,
  table,
  type OfOrg,
} from "./terminal.js";

export function addSignatureCommands(
  signature: Command,
  { withServices }: CommandLine,
): void {
  const id = [
    "<id>",
    "Request ID, as shown by `platen signature list`",
  ] as const;
  const org = ["--org <id>", "Organization ID"] as const;

  signature
    .command("list")
    .description("List an organization's 100 newest signature requests")
    .requiredOption(...org)
    .option("--document <id>", "Only those of this document")
    .option("--json", "Print an array")
    .action((options: OfOrg & { document?: string }) =>
      withServices(async ({ organizations, signatures }) => {
        const { id: organizationId } = await organizations.get(options.org);
        const query = { page: 1, pageSize: 100, documentId: options.document };
        const { data } = await (await signatures()).list(organizationId, query);
        printTable(options, data, {
          ID: (row) => row.id,
          STATUS: (row) => row.status,
          PROVIDER: (row) => row.provider,
          TITLE: (row) => row.title,
          SIGNED: describeProgress,
          CREATED: (row) => row.createdAt,
        });
      }),
    );

  signature
    .command("get")
    .description("Show a signature request and its signers")
    .argument(...id)
    .requiredOption(...org)
    .option("--json", "Print the request")
    .action((requestId: string, options: OfOrg) =>
      withServices(async ({ signatures }) => {
        const row = await (await signatures()).get(options.org, requestId);
        print(options, row, describeRequest(row));
      }),
    );

  const addAction = (
    name: "cancel" | "resend",
    description: string,
    describe: (title: string) => string,
  ) =>
    signature
      .command(name)
      .description(description)
      .argument(...id)
      .requiredOption(...org)
      .option("--json", "Print the request")
      .action((requestId: string, options: OfOrg) =>
        withServices(async ({ actor, signatures }) => {
          const requests = await signatures();
          const row = await requests[name](options.org, requestId, actor);
          print(options, row, describe(row.title));
        }),
      );
  addAction(
    "cancel",
    "Cancel a signature request, at the provider as well",
    (title) => `Withdrawn: “${title}”.`,
  );
  addAction(
    "resend",
    "Remind the signers whose turn it is",
    (title) => `Reminded the signers of “${title}”.`,
  );
}

function describeProgress({ submitters }: SignatureDetail): string {
  const signed = submitters.filter(({ status }) => status === "completed");
  return `${signed.length} of ${submitters.length}`;
}

function describeRequest(row: SignatureDetail): string {
  const { status, provider, externalId, documentId, error, outputs } = row;
  const { startedAt, expiresAt, completedAt } = row;
  return [
    properties({
      status,
      provider,
      externalId,
      documentId,
      error,
      startedAt,
      expiresAt,
      completedAt,
    }),
    table(
      ["ROLE", "EMAIL", "ORDER", "STATUS", "REASON"],
      row.submitters.map((submitter) => [
        submitter.role,
        submitter.email,
        String(submitter.order),
        submitter.status,
        submitter.reason ?? "-",
      ]),
    ),
    ...outputs.map(({ label, url }) => `${label}: ${url}`),
  ].join("\n\n");
}
