import type { Command } from "commander";
import type { SigningCertificateView } from "../certificates/index.js";
import type { CommandLine } from "./services.js";
import { print, properties, readBytes, type OfOrg } from "./terminal.js";

interface NewCertificate extends OfOrg {
  passwordFile: string;
  timestampUrl?: string;
}

export function addCertificateCommands(
  certificate: Command,
  { withServices }: CommandLine,
): void {
  const org = ["--org <id>", "Organization ID"] as const;
  const json = ["--json", "Print the certificate"] as const;

  certificate
    .command("set")
    .description(
      "Store or replace the certificate with which an organization signs PDFs",
    )
    .argument("<file>", "PKCS#12 file (.p12 or .pfx) with its private key")
    .requiredOption(...org)
    .requiredOption(
      "--password-file <file>",
      "File that contains its password; - reads stdin",
    )
    .option("--timestamp-url <url>", "Timestamp server (RFC 3161)")
    .option(...json)
    .action((file: string, options: NewCertificate) =>
      withServices(async ({ actor, organizations, certificates }) => {
        const { id } = await organizations.get(options.org);
        const pkcs12 = await readBytes(file);
        const text = (await readBytes(options.passwordFile)).toString();
        const input = {
          pkcs12,
          password: text.replace(/\r?\n$/, ""),
          timestampUrl: options.timestampUrl ?? null,
        };
        const row = await (await certificates()).set(id, input, actor);
        print(options, row, describe(row));
      }),
    );

  certificate
    .command("show")
    .description("Show an organization's signing certificate")
    .requiredOption(...org)
    .option(...json)
    .action((options: OfOrg) =>
      withServices(async ({ organizations, certificates }) => {
        const { id } = await organizations.get(options.org);
        const row = await (await certificates()).get(id);
        print(options, row, describe(row));
      }),
    );

  certificate
    .command("remove")
    .description("Delete an organization's signing certificate with its key")
    .requiredOption(...org)
    .option(...json)
    .action((options: OfOrg) =>
      withServices(async ({ actor, organizations, certificates }) => {
        const { id } = await organizations.get(options.org);
        const row = await (await certificates()).remove(id, actor);
        print(options, row, `Deleted: ${row.subject}.`);
      }),
    );
}

function describe(certificate: SigningCertificateView): string {
  const { subject, issuer, key, validFrom, validUntil } = certificate;
  return properties({
    Subject: subject,
    Issuer: issuer,
    "Serial number": certificate.serialNumber,
    "SHA-256": certificate.fingerprint,
    Key: key,
    "Valid from": validFrom,
    "Valid until": validUntil,
    "Timestamp server": certificate.timestampUrl,
  });
}
