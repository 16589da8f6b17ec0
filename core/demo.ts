import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Demo, seedDemo } from "./account/index.js";
import { importBlueprints } from "./document/index.js";
import { type Store, Template } from "./store/index.js";
import { blueprint } from "./template/index.js";

/** What was made for a newcomer. */
export interface DemoSeedNote extends Demo {
  /** A request that renders the invoice with its sample record, ready to be sent and to be edited. */
  requestFile: string;
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
  const request = await invoiceRequest(store, demo.organizationId);
  await writeFile(requestFile, `${JSON.stringify(request, null, 2)}\n`);
  return { ...demo, requestFile };
}

async function invoiceRequest(store: Store, organizationId: string) {
  const { name, definition } = blueprint("invoice");
  const { id } = await store.read.findOneOrFail(Template, {
    where: { organizationId, name },
    select: { id: true },
  });
  return { templateId: id, formats: ["pdf"], data: definition.sample ?? {} };
}

function studio({ loginUrl }: DemoNote): string {
  return `
The studio, in your browser (this link signs you in once; a new one:
npm run platen -- user login-link demo@platen.invalid):

  ${loginUrl}
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
${studio(demo)}
The reference is at ${baseUrl}/docs

`;
}
