import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Demo, seedDemo } from "../accounts/index.js";
import { importBlueprints } from "../templates/index.js";
import { type Store, Template } from "../storage/database/index.js";
import { blueprint } from "../templates/index.js";

/** What was made for a newcomer. */
export interface DemoSeedNote extends Demo {
  /** A request that renders the invoice with its sample record, ready to be sent and to be edited. */
  requestFile: string;
  /** One that sends the contract to be signed. */
  contractFile: string;
}

/** What a newcomer is told at the first start. */
export interface DemoNote extends DemoSeedNote {
  /** Signs the demo user in to the studio, once. */
  loginUrl: string;
}

/** Fills an empty database for a newcomer to try; null when it is in use already. */
export async function makeDemo(
  store: Store,
  dataFolder: string,
): Promise<DemoSeedNote | null> {
  const demo = await seedDemo({ store, dataFolder, fill: importBlueprints });
  if (demo === null) return null;
  const requestFile = join(dataFolder, "demo-invoice.json");
  const contractFile = join(dataFolder, "demo-contract.json");
  const request = async (name: "invoice" | "contract") =>
    sampleRequest(store, demo.organizationId, name);
  const contract = { ...(await request("contract")), sendForSignature: true };
  await writeFile(requestFile, textOf(await request("invoice")));
  await writeFile(contractFile, textOf(contract));
  return { ...demo, requestFile, contractFile };
}

function textOf(request: object): string {
  return `${JSON.stringify(request, null, 2)}\n`;
}

async function sampleRequest(
  store: Store,
  organizationId: string,
  example: "invoice" | "contract",
) {
  const { name, definition } = blueprint(example);
  const { id } = await store.read.findOneOrFail(Template, {
    where: { organizationId, name },
    select: { id: true },
  });
  return { templateId: id, formats: ["pdf"], data: definition.sample ?? {} };
}

function studio({ loginUrl }: DemoNote): string {
  return `
The studio, in your browser (this link signs you in once; a new one:
npx platen user login-link demo@platen.invalid):

  ${loginUrl}
`;
}

function signing(baseUrl: string, { key, contractFile }: DemoNote): string {
  return `
A contract, to be signed by clicks and without mail (a demo, not legally
binding): open the links that this prints, one after the other.

  curl -s ${baseUrl}/api/export -H 'x-api-key: ${key}' \\
    -H 'content-type: application/json' -d '@${contractFile}' \\
    | grep -o 'http[^"]*/esign/[^"]*'
`;
}

/** Said once, with the only sight of the key beside its file. */
export function welcome(baseUrl: string, demo: DemoNote): string {
  return `
A demo organization was made, with the example templates and a key:

  ${demo.key}

It is kept in ${demo.keyFile} and shown only now. Your first PDF:

  curl -s ${baseUrl}/api/export -H 'x-api-key: ${demo.key}' \\
    -H 'content-type: application/json' -d '@${demo.requestFile}' \\
    | grep -o 'http[^"]*' | xargs curl -so invoice.pdf
${signing(baseUrl, demo)}${studio(demo)}
The documentation is at ${baseUrl}/docs

`;
}
