import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { CONFORMANCES, type Conformance } from "../../core/plugin-api/index.js";
import { blueprints } from "../../core/templates/blueprints/index.js";
import { startFixtureService } from "../conformance/fixture-service.js";
import { createAllFeatures } from "./all-features.js";
import { createLongDocument } from "./long-document.js";
import { type Check, validateAll } from "./validate.js";

// `npm run test:pdf`: prints every blueprint, and documents with what is hard for a PDF, in every standard that is
// offered, and has veraPDF validate them. Needs a JDK and Maven.

const folder = join(".cache", "conformance-pdf", "files");

/** Each standard alone, and archival ones together with the accessible one. */
const CHOICES: readonly (readonly Conformance[])[] = [
  ...CONFORMANCES.map((one) => [one]),
  ["pdf/a-2u", "pdf/ua-1"],
  ["pdf/a-3a", "pdf/ua-1"],
];

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

/** Prints documents into the folder, and notes what they must conform to. */
class Printer {
  readonly checks: Check[] = [];

  constructor(private readonly client: Client) {}

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
        renderOptions: { pdf: { conformance } },
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
    const suffix = conformance.join("+").replaceAll("pdf/", "");
    const path = join(folder, `${name}.${suffix}.pdf`);
    await writeFile(path, bytes);
    for (const one of conformance) this.checks.push({ path, conformance: one });
  }
}

async function printAll(printer: Printer): Promise<void> {
  const features = await createAllFeatures();
  const templates = [
    ...blueprints().map(({ id, definition, templateType }) => ({
      id,
      definition,
      templateType,
    })),
    { id: "all-features", definition: features, templateType: "document" },
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
  for (const conformance of LONG_CHOICES)
    await printer.print(
      "long",
      { templateId: longId, data: long.sample },
      conformance,
    );
  const cover = await printer.publish("cover", COVER);
  const joinedId = await printer.publish("all-features", features);
  for (const conformance of CHOICES)
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

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const service = await startFixtureService();
const printer = new Printer(new Client(service.url, service.key));
try {
  await printAll(printer);
} finally {
  await service.stop();
}
const { checks } = printer;
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
process.exitCode = failed === 0 && results.length > 0 ? 0 : 1;
