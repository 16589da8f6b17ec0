import type { Command } from "commander";
import type { SignatureDetail } from "../../signatures/index.js";
import { print, table } from "../output.js";
import type { WithServices } from "../services.js";

/** `platen signature list` */
export function signatureList(
  signature: Command,
  withServices: WithServices,
): void {
  signature
    .command("list")
    .description("list an organization's newest signature requests")
    .requiredOption("--org <id>", "the organization")
    .option("--document <id>", "of this document")
    .option("--json", "print an array")
    .action((options: { org: string; document?: string; json?: boolean }) =>
      withServices(async ({ organizations, signatures }) => {
        const { id } = await organizations.get(options.org);
        const query = { page: 1, pageSize: 100, documentId: options.document };
        const { data } = await (await signatures()).list(id, query);
        print(options, data, table(headings, data.map(cellsOf)));
      }),
    );
}

const headings = ["ID", "STATUS", "PROVIDER", "TITLE", "SIGNED", "CREATED"];

function cellsOf(one: SignatureDetail): string[] {
  const { id, status, provider, title, submitters, createdAt } = one;
  const signed = submitters.filter((each) => each.status === "completed");
  const share = `${signed.length} of ${submitters.length}`;
  return [id, status, provider, title, share, createdAt];
}
