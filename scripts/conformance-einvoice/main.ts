import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFile,
  mkdir,
  readdir,
  readFile,
  rm,
  writeFile,
} from "node:fs/promises";
import { dirname, join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as fc from "fast-check";
import { z } from "zod";
import { compileTemplate } from "../../core/compiler/index.js";
import type { ProjectData } from "../../core/definition/index.js";
import {
  EINVOICE_PROFILE_NAMES,
  EINVOICE_PROFILES,
  type EinvoiceProfile,
} from "../../core/definition/schema/einvoice-terms.js";
import { blueprints } from "../../core/templates/blueprints/index.js";
import {
  einvoiceDefinition,
  invoiceRecords,
} from "../../test/support/einvoices.js";
import { startFixtureService } from "../conformance/fixture-service.js";

// `npm run test:einvoice`: makes e-invoices and has Mustang's validator, with the official schematron, and the rules of
// OpenPeppol validate them: generated ones in every profile, those that the tests compare with, which have every term, and
// those of the blueprints as XML and inside of PDFs. Needs a JDK and Maven. `--few` checks a tenth of the generated ones, and the blueprints in their own profile, for every push.

const source = dirname(fileURLToPath(import.meta.url));
const cache = join(".cache", "conformance-einvoice");
const folder = join(cache, "files");

/** The e-invoices that test/compiler/einvoice/every-term.test.ts compares with. */
const recorded = join("test", "compiler", "einvoice", "golden");

const isFew = process.argv.includes("--few");

const GENERATED = isFew ? 20 : 200;
/** The same invoices in each run, so that a failure can be repeated. */
const SEED = 16931;

/** Null for a record that breaks rules of the profile. */
function createXml(definition: ProjectData, data: unknown): string | null {
  const program = compileTemplate(definition, "document");
  const options = { isTest: false, now: new Date() };
  return program.einvoice(data, options).einvoice?.xml ?? null;
}

/** Each invoice in two of the profiles, so that every profile has 50. */
async function writeGenerated(): Promise<void> {
  const records = fc.sample(invoiceRecords, {
    numRuns: GENERATED,
    seed: SEED,
  });
  const { length } = EINVOICE_PROFILE_NAMES;
  for (const [index, record] of records.entries())
    for (const profile of [
      EINVOICE_PROFILE_NAMES[index % length],
      EINVOICE_PROFILE_NAMES[(index + 3) % length],
    ]) {
      if (profile === undefined) continue;
      const xml = createXml(einvoiceDefinition(profile), record);
      if (xml === null)
        throw new Error(`Refused in ${profile}: ${JSON.stringify(record)}`);
      const number = String(index).padStart(3, "0");
      await writeFile(join(folder, `${profile}-${number}.xml`), xml);
    }
}

interface Example {
  name: string;
  profile: EinvoiceProfile;
  definition: ProjectData;
}

/** The blueprints in their own profile, and in all others whose rules they keep. */
function listExamples(): Example[] {
  return blueprints().flatMap(({ id, definition }) => {
    const { einvoice } = definition;
    if (einvoice === undefined) return [];
    const { map } = einvoice;
    return EINVOICE_PROFILE_NAMES.map((profile) => ({
      name: `${profile}-${id}`,
      profile,
      definition: { ...definition, einvoice: { profile, map } },
    })).filter(
      (one) =>
        one.profile === einvoice.profile ||
        (!isFew && createXml(one.definition, definition.sample) !== null),
    );
  });
}

const withId = z.looseObject({ id: z.string() });
const exported = z.looseObject({ pdf: z.looseObject({ url: z.string() }) });

async function writeExamples(): Promise<void> {
  const service = await startFixtureService();
  const request = async (path: string, body?: object): Promise<Response> => {
    const response = await fetch(service.url + path, {
      method: body ? "POST" : "GET",
      headers: {
        "x-api-key": service.key,
        "content-type": "application/json",
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response;
  };
  try {
    for (const { name, profile, definition } of listExamples()) {
      const data = definition.sample;
      const xml = createXml(definition, data);
      if (xml === null) throw new Error(`${name} breaks rules.`);
      await writeFile(join(folder, `${name}.xml`), xml);
      if (EINVOICE_PROFILES[profile].facturX === null) continue;
      const created = await request("/api/templates", {
        name,
        definition,
        templateType: "document",
      });
      const templateId = withId.parse(await created.json()).id;
      const body = { templateId, formats: ["pdf"], data };
      const made = await (await request("/api/export", body)).json();
      const { pathname, search } = new URL(
        exported.parse(made).pdf.url,
        service.url,
      );
      const pdf = await request(pathname + search);
      const bytes = Buffer.from(await pdf.arrayBuffer());
      await writeFile(join(folder, `${name}.pdf`), bytes);
    }
  } finally {
    await service.stop();
  }
}

/** @returns the class path of the validators */
async function installValidators(): Promise<string> {
  const output = join(process.cwd(), cache, "classpath.txt");
  await promisify(execFile)("mvn", [
    "--quiet",
    "--batch-mode",
    "--settings",
    join(source, "maven-settings.xml"),
    "--file",
    join(source, "pom.xml"),
    "dependency:build-classpath",
    `-Dmdep.outputFile=${output}`,
  ]).catch((cause: unknown) => {
    throw new Error(
      "The validators cannot be installed. They need Java 11 or later (a JDK) and Maven.",
      { cause },
    );
  });
  return readFile(output, "utf8");
}

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const name of await readdir(recorded))
  await copyFile(
    join(recorded, name),
    join(folder, `${parse(name).name}-recorded.xml`),
  );
await writeGenerated();
await writeExamples();
const classPath = await installValidators();
const child = spawn(
  "java",
  ["-Xmx2g", "-cp", classPath, join(source, "Validate.java"), folder],
  { stdio: ["ignore", "inherit", "ignore"] },
);
const [code] = await once(child, "exit");
process.exitCode = code === 0 ? 0 : 1;
