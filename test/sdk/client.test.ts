import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { expect } from "chai";
import {
  Platen,
  PlatenApiError,
  PlatenWebhookError,
  verifyWebhook,
} from "../../sdk/src/index.js";
import { newBatchCaller } from "../support/batches.js";
import type { TestCaller } from "../support/caller.js";
import {
  addOrder,
  connect,
  ordersPlatform,
  orderDefinition,
  useRecordService,
} from "../support/records.js";
import { toSchema } from "../support/schema.js";
import { suiteFolder } from "../support/store-folder.js";
import { useService } from "../support/service.js";
import { useReceiver } from "../support/webhooks.js";

const definition = {
  schema: [{ id: "root", fields: [{ name: "number", type: "String" }] }],
  components: [{ type: "text", text: "Invoice {{ root.number }}" }],
};

/** The error of a call, which must be one of the API. */
async function getApiError(call: Promise<unknown>): Promise<PlatenApiError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof PlatenApiError) return error;
  throw new Error(`not an error of the API: ${String(error)}`);
}

async function* makeItems() {
  for (let at = 0; at < 2000; at += 1)
    yield { data: { number: `${at}`.padStart(100, "0") } };
}

async function expectRejection(...args: Parameters<typeof verifyWebhook>) {
  const error = await verifyWebhook(...args).catch((reason: unknown) => reason);
  expect(error).to.be.instanceOf(PlatenWebhookError);
}

describe("the TypeScript client", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform, {
    config: { outbound: { allowPrivateNetworks: ["127.0.0.0/8"] } },
  });
  const receiver = useReceiver();
  const folder = suiteFolder();
  let caller: TestCaller;
  let platen: Platen;
  let templateId: string;

  before(async () => {
    caller = await newBatchCaller(service);
    platen = new Platen({ baseUrl: `${service.url}/`, apiKey: caller.key });
    templateId = await caller.publish({ definition });
  });

  it("renders a definition that is not saved, in a locale", async () => {
    const inline = await platen.render({
      definition: {
        schema: [],
        translations: { en: { hello: "Hello" }, de: { hello: "Hallo" } },
        components: [{ type: "text", text: '{{ t("hello") }}' }],
      },
      formats: ["html"],
      locale: "de",
    });
    expect(await inline.html.text()).to.include("Hallo");
    const { templateId: id } = await platen.documents.get(inline.documentId);
    expect(id).not.to.equal(templateId);
  });

  it("renders a document, and reads and saves its files", async () => {
    const formats = ["pdf", "html"] as const;
    const data = { number: "117" };
    const rendered = await platen.render(templateId, data, { formats });
    expect(await rendered.html.text()).to.include("Invoice 117");
    const bytes = await rendered.pdf.bytes();
    expect(bytes.length).to.equal(rendered.pdf.sizeBytes);
    expect(Buffer.from(await buffer(await rendered.file.stream()))).to.eql(
      Buffer.from(bytes),
    );
    const path = join(folder, "invoice.pdf");
    await rendered.pdf.save(path);
    expect(await readFile(path)).to.eql(Buffer.from(bytes));
    const document = await platen.documents.get(rendered.documentId);
    expect(platen.files(document).map(({ label }) => label)).to.eql([
      "pdf",
      "html",
    ]);
  });

  it("says which format was not asked for", async () => {
    const rendered = await platen.render<{ number: string }>(templateId, {
      number: "1",
    });
    expect(rendered.pdf.mimeType).to.equal("application/pdf");
    expect(() => rendered.image).to.throw(
      'The document has no image: add "image" to formats.',
    );
  });

  it("has the pages of an image", async () => {
    const { image } = await platen.render(
      templateId,
      {},
      { formats: ["image"], imageType: "jpg" },
    );
    expect(image.pages.map(({ mimeType }) => mimeType)).to.eql(["image/jpeg"]);
    expect((await image.pages[0]?.bytes())?.length).to.equal(image.sizeBytes);
  });

  it("throws the service's error with its problems and the id of the request", async () => {
    const error = await getApiError(
      platen.call("exportDocument", {
        templateId,
        // @ts-expect-error there is no such format
        formats: ["docx"],
        sise: 1,
      }),
    );
    expect(error.status).to.equal(400);
    expect(error.requestId).to.match(/^[\w.:-]{8,64}$/);
    expect(error.problems.map(({ path }) => path)).to.have.members([
      "$.formats[0]",
      "$.sise",
    ]);
    const missing = await getApiError(platen.documents.get("doc_0"));
    expect(missing.status).to.equal(404);
    expect(missing.problems).to.eql([]);
  });

  it("leaves no part of a file behind when a download fails", async () => {
    const { pdf } = await platen.render(templateId, {});
    Object.assign(pdf, { url: "" });
    const [document] = (await platen.documents.list({ pageSize: 1 })).data;
    const output = document?.outputs[0];
    if (!output) throw new Error("no document is listed");
    const [file] = platen.files({
      outputs: [{ ...output, url: `${output.url}x` }],
    });
    const path = join(folder, "missing.pdf");
    const error = await getApiError(file?.save(path) ?? Promise.resolve());
    expect(error.status).to.equal(404);
    expect(
      (await readdir(folder)).filter((name) => /missing/.test(name)),
    ).to.eql([]);
  });

  it("makes a batch, reports its progress and waits for it", async () => {
    const counts: number[] = [];
    const items = ["1", "2", "3"].map((number) => ({ data: { number } }));
    const batch = await platen.batches
      .create({ templateId, formats: ["html"], items })
      .wait({
        interval: 500,
        onProgress: ({ progress }) => counts.push(progress),
      });
    expect(batch.counts.succeeded).to.equal(3);
    expect(counts.at(-1)).to.equal(1);
  });

  it("goes through the documents of a batch in the order of their items", async () => {
    const items = Array.from({ length: 120 }, (_, at) => ({
      data: { number: `${at}` },
      metadata: { at },
    }));
    const seen: unknown[] = [];
    const batch = platen.batches.create({
      templateId,
      formats: ["html"],
      items,
    });
    for await (const { metadata, files } of batch.documents({
      interval: 500,
    })) {
      seen.push(metadata?.["at"]);
      if (seen.length === 101)
        expect(await files[0]?.text()).to.include("Invoice 100");
    }
    expect(seen).to.eql(items.map((_, at) => at));
  });

  it("sends the items of a batch as a stream", async () => {
    const job = await platen.batches.create({
      templateId,
      formats: ["html"],
      items: makeItems,
    });
    expect((await job.get({ pageSize: 1 })).totalCount).to.equal(2000);
    await job.cancel();
    const { status, counts } = await job.wait({ interval: 500 });
    expect(status).to.equal("completed");
    expect(counts.failed).to.be.above(0);
    const retried = await job.retry();
    expect((await retried.get({ pageSize: 1 })).retryOf).to.equal(job.id);
    await retried.cancel();
  });

  it("makes a batch of records, waits until its files are saved, and downloads the archive", async () => {
    addOrder(platform, "rec1");
    addOrder(platform, "rec2");
    const { id: connectionId } = await connect(service, caller);
    const order = await caller.publish({ definition: orderDefinition });
    const job = await platen.batches.createFromRecords("memory", {
      templateId: order,
      connectionId,
      recordIds: ["rec1", "rec2"],
      formats: ["html"],
      attachmentField: "Invoice",
    });
    const batch = await job.wait({ interval: 500, untilSaved: true });
    expect(batch.writeBack).to.include({ succeeded: 2, failed: 0 });
    const archive = await job.archive().bytes();
    expect(Buffer.from(archive).toString("latin1")).to.match(/^PK/);
  });

  it("creates, runs and deletes an automation", async () => {
    addOrder(platform, "rec3");
    const { id: connectionId } = await connect(service, caller);
    const { id } = await platen.automations.create({
      name: "Weekly",
      templateId: await caller.publish({ definition: orderDefinition }),
      platform: "memory",
      connectionId,
      records: { filter: { Number: "rec3" } },
      when: { cron: "0 8 * * 1", timeZone: "Europe/Berlin" },
    });
    await platen.automations.run(id);
    const { data: runs } = await platen.automations.runs(id);
    expect(runs).to.have.length(1);
    await platen.automations.delete(id);
    expect((await getApiError(platen.automations.get(id))).status).to.equal(
      404,
    );
  });

  it("sets the next number of a sequence and lists it", async () => {
    const changed = await platen.sequences.update("invoices", {
      pattern: "RE-{0000}",
      nextValue: 418,
    });
    expect(changed.nextNumber).to.equal("RE-0418");
    expect((await platen.sequences.list()).data).to.deep.equal([changed]);
  });

  it("verifies the messages of the service, and no others", async () => {
    const { id, secret } = await platen.webhooks.create({ url: receiver.url });
    await platen.webhooks.test(id);
    const [received] = await receiver.waitFor(1);
    if (!received) throw new Error("nothing was received");
    const { text, headers } = received;
    const event = await platen.webhooks.verify(text, headers, secret);
    expect(event).to.deep.include({
      type: "webhook.test",
      data: { webhookId: id, organizationId: caller.organizationId },
    });
    const other = `whsec_${Buffer.from("another secret").toString("base64")}`;
    const web = new Headers();
    for (const [name, value] of Object.entries(headers))
      web.set(name, String(value));
    await verifyWebhook(Buffer.from(text), web, [other, secret]);

    await expectRejection(
      text.replace("webhook.test", "webhook.tost"),
      headers,
      secret,
    );
    await expectRejection(text, headers, other);
    await expectRejection(
      text,
      { ...headers, "webhook-timestamp": "1" },
      secret,
    );
    await expectRejection(
      text,
      { ...headers, "webhook-signature": "v1,====" },
      secret,
    );
    await expectRejection(text, {}, secret);
  });

  it("uploads files and streams", async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>`;
    const blob = await platen.assets.upload(new Blob([svg]), {
      name: "blob.svg",
    });
    expect(blob).to.include({ name: "blob.svg", assetType: "image" });
    const stream = await platen.assets.upload(new Blob([svg]).stream(), {
      name: "stream.svg",
    });
    expect(stream.checksum).to.equal(blob.checksum);
  });

  it("goes through all pages of a list", async () => {
    for (let at = 0; at < 101; at += 1)
      await platen.folders.create({ kind: "template", name: `Folder ${at}` });
    const names = new Set<string>();
    for await (const { name } of platen.folders.all({ kind: "template" }))
      names.add(name);
    expect(names.size).to.equal(101);
  });

  it("goes through all documents, also while others are created", async () => {
    const items = Array.from({ length: 101 }, () => ({ data: {} }));
    const job = platen.batches.create({ templateId, formats: ["html"], items });
    await job.wait();
    const { pagination } = await platen.documents.list({ templateId });
    const ids: string[] = [];
    for await (const { id } of platen.documents.all({ templateId })) {
      if (ids.length === 0)
        await platen.render(templateId, {}, { formats: ["html"] });
      ids.push(id);
    }
    expect(ids).to.have.length(pagination.total);
    expect(new Set(ids).size).to.equal(pagination.total);
  });

  it("reads and changes templates", async () => {
    const { id } = await platen.templates.duplicate(templateId);
    const changed = await platen.templates.update(id, { name: "Copy" });
    expect(changed.name).to.equal("Copy");
    const template = await platen.templates.get(id);
    expect(template.definition.components[0]?.type).to.equal("text");
    const [version] = await platen.templates.versions(id);
    const read = await platen.templates.version(id, version?.id ?? "");
    expect(read.version).to.equal(version?.version);
    expect((await platen.templates.delete(id)).isTrashed).to.equal(true);
    expect((await platen.usage({ month: "2026-07" })).month).to.equal(
      "2026-07",
    );
  });
});

describe("the TypeScript client with files", () => {
  const service = useService();
  let caller: TestCaller;
  let platen: Platen;
  let templateId: string;

  before(async () => {
    caller = await newBatchCaller(service);
    platen = new Platen({ baseUrl: service.url, apiKey: caller.key });
    templateId = await caller.publish({ definition });
  });

  it("makes documents of the rows of a file, one PDF of all, and the file with links", async () => {
    const csv = new File(["number;city\n117;Ulm\n118;Bonn\n"], "orders.csv");
    const { fields, mapping, problems } = await platen.batches.inspectFile(
      csv,
      { templateId },
    );
    expect(fields.map(({ path }) => path)).to.eql(["number"]);
    expect(mapping).to.eql({ number: "number", city: null });
    expect(problems).to.eql([]);
    const job = await platen.batches.createFromFile(csv, {
      templateId,
      formats: ["pdf"],
      merge: {},
    });
    const merged = await job.merged({ interval: 500 });
    const text = Buffer.from(await merged.bytes()).toString("latin1");
    expect(text).to.match(/^%PDF-/);
    const table = Buffer.from(await job.table().bytes()).toString("latin1");
    expect(table).to.match(/^PK/);
    await job.merge({ bookmarks: false });
    expect((await job.merged({ interval: 500 })).filename).to.equal(
      `${job.id}.pdf`,
    );
    const twice = await getApiError(job.retryDeliveries());
    expect(twice.status).to.equal(409);
  });

  it("sends a second file with the line items", async () => {
    const list = await caller.publish({
      definition: {
        schema: toSchema({
          root: "number String, lines OneToManyLink lines",
          lines: "name String",
        }),
        components: [
          {
            type: "text",
            text: "{{ lines.name }}",
            collection: { collectionId: "lines", path: "root.lines" },
          },
        ],
      },
    });
    const job = platen.batches.createFromFile(new Blob(["number\n117\n"]), {
      templateId: list,
      formats: ["html"],
      fileName: "orders.csv",
      joinFile: new Blob(["number,name\n117,Pears\n"]),
      join: { key: "number", as: "lines" },
    });
    for await (const { files } of job.documents({ interval: 500 }))
      expect(await files[0]?.text()).to.include("Pears");
  });

  it("lists the methods of delivery, and says which delivery does not exist", async () => {
    const { data: methods } = await platen.deliveryMethods.list();
    expect(methods.map((method) => method.id)).to.include("email");
    expect((await getApiError(platen.deliveries.retry("x"))).status).to.equal(
      404,
    );
  });
});
