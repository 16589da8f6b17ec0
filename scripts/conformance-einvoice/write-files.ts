// Writes e-invoices to a folder, for the validators: generated ones in every profile, and every blueprint's.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { compileTemplate } from "../../core/compiler/index.js";
import { checkDefinition } from "../../core/definition/index.js";
import {
  EINVOICE_PROFILE_NAMES,
  type EinvoiceProfile,
} from "../../core/definition/schema/einvoice-schema.js";
import { formatError } from "../../core/plugin-api/index.js";
import { blueprints } from "../../core/templates/blueprints/index.js";
import {
  einvoiceDefinition,
  invoiceRecords,
} from "../../test/support/einvoices.js";

const GENERATED = 200;

const [folder = ""] = process.argv.slice(2);
await mkdir(folder, { recursive: true });

const options = { isTest: false, now: new Date() };

async function write(
  name: string,
  definition: unknown,
  data: unknown,
): Promise<void> {
  const checked = checkDefinition(definition, "document");
  if (checked.definition === null)
    throw new Error(`${name}: ${JSON.stringify(checked.problems)}`);
  const program = compileTemplate(checked.definition, "document");
  const { problems, einvoice } = program.einvoice(data, options);
  if (einvoice === null)
    throw new Error(
      `${name}: ${JSON.stringify(problems)}\n${JSON.stringify(data)}`,
    );
  await writeFile(join(folder, `${name}.xml`), einvoice.xml);
}

const records = fc.sample(invoiceRecords, { numRuns: GENERATED, seed: 16931 });
const profiles: readonly EinvoiceProfile[] = EINVOICE_PROFILE_NAMES;
// Each invoice in two of the profiles, so that every profile has 50 of them.
for (const [index, record] of records.entries())
  for (const offset of [0, 3]) {
    const profile =
      profiles[(index + offset) % profiles.length] ?? "factur-x-en16931";
    const number = String(index).padStart(3, "0");
    await write(`${profile}-${number}`, einvoiceDefinition(profile), record);
  }

for (const { id, definition } of blueprints()) {
  if (definition.einvoice === undefined) continue;
  const { map } = definition.einvoice;
  for (const profile of profiles)
    await write(
      `${profile}-blueprint-${id}`,
      { ...definition, einvoice: { profile, map } },
      definition.sample,
    ).catch((error: unknown) => {
      // A blueprint need not have what other profiles require.
      if (profile === definition.einvoice?.profile) throw error;
      process.stderr.write(`${formatError(error)}\n`);
    });
}
