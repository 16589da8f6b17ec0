import type { Command } from "commander";
import type { SignatureDetail } from "../../signatures/index.js";
import { print, properties, table } from "../output.js";
import type { WithServices } from "../services.js";

/** `platen signature get` */
export function signatureGet(
  signature: Command,
  withServices: WithServices,
): void {
  signature
    .command("get")
    .description("show a signature request and who signs it")
    .argument("<id>", "the request's id, as `platen signature list` shows it")
    .requiredOption("--org <id>", "the organization")
    .option("--json", "print the request")
    .action((id: string, options: { org: string; json?: boolean }) =>
      withServices(async ({ signatures }) => {
        const row = await (await signatures()).get(options.org, id);
        print(options, row, textOf(row));
      }),
    );
}

function textOf(row: SignatureDetail): string {
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
      ["ROLE", "E-MAIL", "ORDER", "STATUS", "REASON"],
      row.submitters.map((one) => [
        one.role,
        one.email,
        String(one.order),
        one.status,
        one.reason ?? "-",
      ]),
    ),
    ...outputs.map(({ label, url }) => `${label}: ${url}`),
  ].join("\n\n");
}
