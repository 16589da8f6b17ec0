import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LoginLinks } from "../accounts/sessions/index.js";
import { type Demo, seedDemo, service } from "../accounts/index.js";
import type { ConnectionService } from "../integrations/connections/index.js";
import { type Store, Template } from "../storage/database/index.js";
import { blueprint, importBlueprints } from "../templates/index.js";

/** What was created for a new installation. */
export interface DemoData extends Demo {
  /** A request that renders the invoice with its sample data, ready to be sent and to be edited. */
  requestFile: string;
  /** A request that sends the contract for signature. */
  contractFile: string;
}

/** What the first start prints. */
export interface DemoNote extends DemoData {
  /** Signs the demo user in to the studio, once. */
  loginUrl: string;
}

/** Fills an empty database for newcomers to try; returns null when it is in use already. */
export async function createDemoData(
  store: Store,
  dataFolder: string,
): Promise<DemoData | null> {
  const demo = await seedDemo({ store, dataFolder, fill: importBlueprints });
  if (demo === null) return null;
  const requestFile = join(dataFolder, "demo-invoice.json");
  const contractFile = join(dataFolder, "demo-contract.json");
  const { organizationId } = demo;
  const invoice = await createSampleRequest(store, organizationId, "invoice");
  const contract = await createSampleRequest(store, organizationId, "contract");
  await writeRequest(requestFile, invoice);
  await writeRequest(contractFile, { ...contract, sendForSignature: true });
  return { ...demo, requestFile, contractFile };
}

async function createSampleRequest(
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

function writeRequest(file: string, request: object): Promise<void> {
  const text = `${JSON.stringify(request, null, 2)}\n`;
  return writeFile(file, text, { mode: 0o600 });
}

/**
 * Connects the e-signature provider that is part of the service, so that documents can be signed at once, and creates a
 * sign-in link for the demo user. Called once the service's URL is known.
 */
export async function completeDemo(
  demo: DemoData,
  connections: ConnectionService,
  loginLinks: LoginLinks,
): Promise<DemoNote> {
  const input = {
    provider: "demo-esign",
    name: "Demo, not legally binding",
    credentials: {},
  };
  await connections.create(demo, input, service);
  const { url } = await loginLinks.issue(demo, service);
  return { ...demo, loginUrl: url };
}

/** Printed once: apart from its file, the key is shown nowhere else. */
export function formatWelcome(baseUrl: string, demo: DemoNote): string {
  return `
A demo organization was created, with the example templates and a key:

  ${demo.key}

It is stored in ${demo.keyFile} and shown only now. Your first PDF:

  curl -s ${baseUrl}/api/export -H 'x-api-key: ${demo.key}' \\
    -H 'content-type: application/json' -d '@${demo.requestFile}' \\
    | grep -o 'http[^"]*' | xargs curl -so invoice.pdf

A contract to sign with a few clicks and without email (a demo, not legally
binding): open the links that this prints, one after the other.

  curl -s ${baseUrl}/api/export -H 'x-api-key: ${demo.key}' \\
    -H 'content-type: application/json' -d '@${demo.contractFile}' \\
    | grep -o 'http[^"]*/esign/[^"]*'

The studio, in your browser (this link signs you in once; for a new one run
npx platen user login-link demo@platen.invalid):

  ${demo.loginUrl}

The documentation is at ${baseUrl}/docs

`;
}
