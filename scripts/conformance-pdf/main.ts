import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { CONFORMANCES, type Conformance } from "../../core/plugin-api/index.js";
import { blueprints } from "../../core/templates/blueprints/index.js";
import { startFixtureService } from "../conformance/fixture-service.js";
import { createAllFeatures } from "./all-features.js";
import { createLongDocument } from "./long-document.js";
import {
  type Issued,
  issueCertificate,
  issueChain,
  type KeyType,
  toPkcs12,
} from "../../test/support/certificates.js";
import { FakeTsa } from "../../test/support/fakes/fake-tsa.js";
import { type Check, validateAll } from "./validate.js";
import { verifySignatures } from "./verify-signatures.js";

// `npm run test:pdf`: prints every blueprint, and documents with what is hard for a PDF, in every standard that is
// offered, and has veraPDF validate them; prints documents that are digitally signed, and has DSS, the European
// Commission's library, verify their signatures. Needs a JDK and Maven. `--few` prints what covers each standard and each
// kind of document once, for every push.

const folder = join(".cache", "conformance-pdf", "files");

const isFew = process.argv.includes("--few");

/** Archival standards together with the accessible one, and each standard alone. */
const CHOICES: readonly (readonly Conformance[])[] = [
  ["pdf/a-3a", "pdf/ua-1"],
  ["pdf/a-2u", "pdf/ua-1"],
  ...CONFORMANCES.map((conformance) => [conformance]),
];

/** All of a list, or its first `count` entries with `--few`. */
function limit<T>(list: readonly T[], count: number): readonly T[] {
  return isFew ? list.slice(0, count) : list;
}

const ATTACHMENT = {
  name: "Data (1) – ü.xml",
  mimeType: "text/xml",
  relationship: "Data",
  description: "The data of the document",
  base64: Buffer.from("<data/>").toString("base64"),
};

class Client {
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  async post<T extends z.ZodType>(path: string, body: object, schema: T) {
    const response = await this.#fetch(path, {
      method: "POST",
      body: JSON.stringify(body),
    });
    return schema.parse(await response.json());
  }

  async put(path: string, body: object): Promise<void> {
    await this.#fetch(path, { method: "PUT", body: JSON.stringify(body) });
  }

  async get<T extends z.ZodType>(path: string, schema: T) {
    return schema.parse(await (await this.#fetch(path)).json());
  }

  async download(url: string): Promise<Buffer> {
    const { pathname, search } = new URL(url, this.url);
    const response = await this.#fetch(pathname + search);
    return Buffer.from(await response.arrayBuffer());
  }

  async #fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(this.url + path, {
      ...init,
      headers: { "x-api-key": this.key, "content-type": "application/json" },
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response;
  }
}

const withId = z.looseObject({ id: z.string() });
const exported = z.looseObject({ pdf: z.looseObject({ url: z.string() }) });
const accepted = z.looseObject({ batchId: z.string() });
const batch = z.looseObject({
  merged: z.looseObject({ status: z.string(), error: z.string().nullish() }),
});

/** A certificate that signs, and how. */
interface Signing {
  /** A part of the names of the files. */
  name: string;
  level: "PAdES-BASELINE-B" | "PAdES-BASELINE-T";
}

/** Prints documents into the folder, and notes what they must conform to. */
class Printer {
  readonly checks: Check[] = [];
  /** The files that are signed, and the level that each must have. */
  readonly signed: { path: string; level: string }[] = [];
  #signing: Signing | null = null;

  constructor(private readonly client: Client) {}

  /** From now on, all documents are signed. */
  async sign(signing: Signing, certificate: object): Promise<void> {
    await this.client.put("/api/signing-certificate", certificate);
    this.#signing = signing;
  }

  async publish(
    name: string,
    definition: object,
    templateType = "document",
  ): Promise<string> {
    const body = { name, definition, templateType };
    return (await this.client.post("/api/templates", body, withId)).id;
  }

  async print(
    name: string,
    { templateId, data }: { templateId: string; data: unknown },
    conformance: readonly Conformance[],
  ): Promise<void> {
    const isWithFile = conformance.some((one) => one.startsWith("pdf/a-3"));
    const pdf = {
      conformance,
      sign: this.#signing !== null,
      ...(isWithFile && { attachments: [ATTACHMENT] }),
    };
    const { pdf: file } = await this.client.post(
      "/api/export",
      { templateId, data, formats: ["pdf"], renderOptions: { pdf } },
      exported,
    );
    await this.#save(name, await this.client.download(file.url), conformance);
  }

  /** A batch of some documents, joined in one file with a cover, empty pages and page numbers. */
  async printJoined(
    name: string,
    templateId: string,
    { records, cover }: { records: readonly unknown[]; cover: string },
    conformance: readonly Conformance[],
  ): Promise<void> {
    const { batchId } = await this.client.post(
      "/api/export/batch",
      {
        templateId,
        formats: ["pdf"],
        items: records.map((data) => ({ data })),
        renderOptions: {
          pdf: { conformance, sign: this.#signing !== null },
        },
        merge: { cover, separators: "blank" },
      },
      accepted,
    );
    const path = `/api/batches/${batchId}`;
    for (;;) {
      const { merged } = await this.client.get(path, batch);
      if (merged.status === "failed") throw new Error(merged.error ?? name);
      if (merged.status === "succeeded") break;
      await pause(200);
    }
    await this.#save(
      name,
      await this.client.download(`${path}/merged`),
      conformance,
    );
  }

  async #save(
    name: string,
    bytes: Buffer,
    conformance: readonly Conformance[],
  ): Promise<void> {
    const suffix = [...conformance, this.#signing?.name ?? []]
      .flat()
      .join("+")
      .replaceAll("pdf/", "");
    const path = join(folder, `${name}.${suffix}.pdf`);
    await writeFile(path, bytes);
    if (this.#signing) this.signed.push({ path, level: this.#signing.level });
    for (const one of conformance) this.checks.push({ path, conformance: one });
  }
}

async function printAll(printer: Printer): Promise<void> {
  const features = await createAllFeatures();
  const templates = [
    { id: "all-features", definition: features, templateType: "document" },
    ...limit(blueprints(), 0).map(({ id, definition, templateType }) => ({
      id,
      definition,
      templateType,
    })),
  ];
  for (const { id, definition, templateType } of templates) {
    const data = definition.sample;
    const templateId = await printer.publish(id, definition, templateType);
    // PDF/A-2 allows no e-invoice inside.
    const hasFile =
      "einvoice" in definition &&
      definition.einvoice?.profile.startsWith("factur-x");
    for (const conformance of CHOICES)
      if (!hasFile || !conformance.some((one) => one.startsWith("pdf/a-2")))
        await printer.print(id, { templateId, data }, conformance);
  }
  const long = createLongDocument();
  const longId = await printer.publish("long", long);
  for (const conformance of limit(LONG_CHOICES, 1))
    await printer.print(
      "long",
      { templateId: longId, data: long.sample },
      conformance,
    );
  const cover = await printer.publish("cover", COVER);
  const joinedId = await printer.publish("all-features", features);
  for (const conformance of limit(CHOICES, 1))
    await printer.printJoined(
      "joined",
      joinedId,
      { records: [features.sample, features.sample], cover },
      conformance,
    );
}

/** In pieces, and as a whole with tags. */
const LONG_CHOICES: typeof CHOICES = [
  ["pdf/a-2u"],
  ["pdf/a-3u"],
  ["pdf/a-3a", "pdf/ua-1"],
];

const COVER = {
  schema: [{ id: "root", fields: [{ name: "count", type: "Number" }] }],
  components: [
    { type: "heading", level: 1, text: "{{ root.count }} documents" },
  ],
};

interface Authorities {
  root: Issued;
  intermediate: Issued;
  tsa: FakeTsa;
}

/** Documents of all kinds with one certificate, and some with each of the others. */
async function printSigned(
  printer: Printer,
  { root, intermediate, tsa }: Authorities,
): Promise<void> {
  const features = await createAllFeatures();
  const featuresId = await printer.publish("all-features", features);
  const one = { templateId: featuresId, data: features.sample };
  const cover = await printer.publish("cover", COVER);
  const records = [features.sample, features.sample];
  const use = async (key: KeyType, timestampUrl: string | null = null) => {
    const signer = issueCertificate({ issuer: intermediate, key });
    const pkcs12 = await toPkcs12(signer, intermediate, root);
    const level = timestampUrl === null ? "B" : "T";
    await printer.sign(
      { name: `${key}-${level}`, level: `PAdES-BASELINE-${level}` },
      {
        pkcs12: pkcs12.toString("base64"),
        password: "secret",
        timestampUrl,
      },
    );
  };
  await use("rsa-2048");
  for (const conformance of limit([[], ...CHOICES], 2)) {
    await printer.print("all-features", one, conformance);
    await printer.printJoined(
      "joined",
      featuresId,
      { records, cover },
      conformance,
    );
  }
  const einvoices = blueprints().filter(
    ({ definition }) => "einvoice" in definition,
  );
  for (const { id, definition } of limit(einvoices, 1)) {
    const templateId = await printer.publish(id, definition);
    const data = definition.sample;
    await printer.print(id, { templateId, data }, ["pdf/a-3b"]);
  }
  const long = createLongDocument();
  const longId = await printer.publish("long", long);
  for (const conformance of limit([[], ...LONG_CHOICES], 0))
    await printer.print(
      "long",
      { templateId: longId, data: long.sample },
      conformance,
    );
  const archive: readonly Conformance[] = ["pdf/a-3a", "pdf/ua-1"];
  const signings: readonly (readonly [KeyType, string | null])[] = [
    ["P-256", tsa.url],
    ["rsa-2048", tsa.url],
    ["P-256", null],
    ["P-384", tsa.url],
    ["P-521", null],
  ];
  for (const [key, url] of limit(signings, 1)) {
    await use(key, url);
    await printer.print("all-features", one, archive);
    await printer.printJoined(
      "joined",
      featuresId,
      { records, cover },
      archive,
    );
  }
}

/** Copies of a signed file, each changed in its own way. */
async function tamper(path: string): Promise<string[]> {
  const bytes = await readFile(path);
  const changed = Buffer.from(bytes);
  const middle = bytes.indexOf("stream") + 100;
  changed[middle] = (changed[middle] ?? 0) ^ 1;
  const longer = Buffer.concat([bytes, Buffer.from("% more\n")]);
  const copies = [changed, longer].map((copy, index) => ({
    copy,
    name: path.replace(/\.pdf$/, `.tampered-${index + 1}.pdf`),
  }));
  for (const { name, copy } of copies) await writeFile(name, copy);
  return copies.map(({ name }) => name);
}

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const { root, intermediate } = issueChain();
const tsa = new FakeTsa(root);
await tsa.start();
const service = await startFixtureService({
  PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.1/32",
});
const printer = new Printer(new Client(service.url, service.key));
try {
  if (!process.argv.includes("--signed")) await printAll(printer);
  await printSigned(printer, { root, intermediate, tsa });
} finally {
  await service.stop();
  await tsa.stop();
}
const { checks, signed } = printer;
const results = await validateAll(checks);
for (const [index, wrong] of results.entries())
  if (wrong !== null) {
    const check = checks[index];
    process.stdout.write(`${check?.path}, ${check?.conformance}: ${wrong}\n`);
  }
const failed = results.filter((wrong) => wrong !== null).length;
process.stdout.write(
  `veraPDF: ${results.length - failed} of ${results.length} validations passed (${new Set(checks.map(({ path }) => path)).size} files)\n`,
);
const tampered = await tamper(signed[0]?.path ?? "");
const levels = await verifySignatures(
  [...signed.map(({ path }) => path), ...tampered],
  [root, intermediate],
);
const unexpected = [
  ...signed.flatMap(({ path, level }, index) =>
    levels[index] === level ? [] : [`${path}: ${levels[index]}`],
  ),
  ...tampered.flatMap((path, index) => {
    const level = levels[signed.length + index] ?? "PAdES";
    return level.startsWith("PAdES") ? [`${path}: changed, and ${level}`] : [];
  }),
];
for (const line of unexpected) process.stdout.write(`${line}\n`);
process.stdout.write(
  `DSS: ${levels.length - unexpected.length} of ${levels.length} signatures as expected, ${tampered.length} of them of changed files\n`,
);
process.exitCode =
  failed === 0 && results.length > 0 && unexpected.length === 0 ? 0 : 1;
