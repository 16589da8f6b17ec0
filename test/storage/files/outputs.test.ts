import { createHash } from "node:crypto";
import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { Document, newId } from "../../../core/storage/database/index.js";
import {
  deleteExpiredOutputs,
  newOutputKey,
  deleteOrphanedOutputs,
} from "../../../core/storage/files/index.js";
import { Usage } from "../../../core/accounts/index.js";
import { FILE_STORE } from "../../../core/lib/process-values.js";
import { newCaller, type TestCaller } from "../../support/caller.js";
import { eachFileStore } from "../../support/each-file-store.js";
import { exported, useService } from "../../support/service.js";
import { eachDatabase } from "../../support/store.js";

const definition = {
  schema: [{ id: "root", fields: [] }],
  components: [{ type: "text", text: "“{{ root.name }}” – 5 €" }],
};

eachDatabase((_open, database) => {
  describe("the html of a document", () => {
    const service = useService({ config: { database } });
    let caller: TestCaller;
    let templateId: string;
    const render = (data: object) =>
      exported(caller, { templateId, formats: ["html"], data });

    before(async () => {
      caller = await newCaller(service);
      templateId = await caller.publish({ definition });
    });

    it("is downloaded as it was answered, whole or in part, short or long", async () => {
      for (const length of [3, 300_000]) {
        const name = "ü".repeat(length);
        const { result, document } = await render({ name });
        const [output] = document.outputs;
        const bytes = Buffer.from(result.html?.htmlDocument ?? "");
        expect(bytes.toString()).to.include(`“${name}” – 5 €`);
        const file = await fetch(output?.url ?? "");
        expect(Buffer.from(await file.arrayBuffer())).to.deep.equal(bytes);
        const range = { headers: { range: "bytes=100-199" } };
        const part = await fetch(output?.url ?? "", range);
        expect(part.status).to.equal(206);
        const middle = Buffer.from(await part.arrayBuffer());
        expect(middle).to.deep.equal(bytes.subarray(100, 200));
        const hash = createHash("sha256").update(bytes).digest("hex");
        expect(output?.checksum).to.equal(`sha256:${hash}`);
        expect(output?.sizeBytes).to.equal(bytes.byteLength);
      }
    });

    it("is kept for each of many documents that end at the same time, and each is counted", async () => {
      const usage = service.container.resolve(Usage);
      const month = new Date().toISOString().slice(0, 7);
      const count = async () =>
        (await usage.getMonth(caller.organizationId, month)).documents;
      const counted = await count();
      const names = Array.from({ length: 40 }, (_, index) => `n${index}`);
      const all = await Promise.all(names.map((name) => render({ name })));
      for (const [index, { document, result }] of all.entries()) {
        const file = await fetch(document.outputs[0]?.url ?? "");
        const html = await file.text();
        expect(html).to.equal(result.html?.htmlDocument);
        expect(html).to.include(`“${names[index]}”`);
      }
      expect((await count()) - counted).to.equal(40);
    });
  });
});

const later = new Date("2040-01-01T00:00:00Z");

eachDatabase((_open, database) => {
  describe("files of expired documents", () => {
    const service = useService({ config: { database } });
    let caller: TestCaller;
    let templateId: string;
    const render = async (expiresAt: string) =>
      (await exported(caller, { templateId, formats: ["html"], expiresAt }))
        .document;
    const files = () => service.container.resolve(FILE_STORE);
    const sweep = () => deleteExpiredOutputs(service.store, files(), later);
    const size = (key = "") => files().size(key);
    const copyOutput = async (row: Document): Promise<Document> => {
      const id = newId("doc");
      const storageKey = newOutputKey(id, "html");
      await files().put(storageKey, Buffer.from("a file"));
      const outputs = row.outputs.map((output) => ({ ...output, storageKey }));
      return Object.assign(new Document(), row, { id, outputs });
    };

    before(async () => {
      caller = await newCaller(service);
      templateId = await caller.publish();
    });

    it("are deleted while the documents stay unchanged", async () => {
      const over = await render("2039-12-31");
      const valid = await render("2040-01-01T00:00:01Z");
      expect(await sweep()).to.equal(1);
      expect(await size(over.outputs[0]?.storageKey)).to.equal(null);
      expect(await size(valid.outputs[0]?.storageKey)).to.be.above(0);
      const response = await caller.get(`/api/documents/${over.id}`);
      expect(await response.json()).to.deep.equal(over);
      expect(await sweep()).to.equal(0);
    });

    it("are deleted in any number", async () => {
      const { id } = await render("2039-12-31");
      const row = await service.store.read.findOneByOrFail(Document, { id });
      const copies = await Promise.all(
        Array.from({ length: 204 }, () => copyOutput(row)),
      );
      await service.store.unitOfWork.run(async (tx) => {
        await tx.save(copies);
      });
      expect(await sweep()).to.equal(205);
      for (const { outputs } of [row, ...copies])
        expect(await size(outputs[0]?.storageKey)).to.equal(null);
    });
  });
});

describe("files of outputs that no document references", () => {
  const service = useService();
  const files = () => service.container.resolve(FILE_STORE);
  const getPath = (key: string) => join(service.dataFolder, "files", key);
  const age = (key: string) => utimes(getPath(key), 0, 0);
  const sweep = () =>
    deleteOrphanedOutputs(service.store.read, files(), new Date());

  it("are deleted when they are old, while new files and files of documents stay", async () => {
    const caller = await newCaller(service);
    const templateId = await caller.publish();
    const { document } = await exported(caller, {
      templateId,
      formats: ["pdf"],
    });
    const named = document.outputs[0]?.storageKey ?? "";
    const orphanKey = newOutputKey(newId("doc"), "pdf");
    const earlierAttemptKey = newOutputKey(document.id, "html");
    const young = newOutputKey(newId("doc"), "pdf");
    for (const key of [orphanKey, earlierAttemptKey, young])
      await files().put(key, Buffer.from("left"));
    for (const key of [named, orphanKey, earlierAttemptKey]) await age(key);
    await writeFile(getPath("outputs/stranger"), "not ours");

    expect(await sweep()).to.equal(2);
    expect(await files().size(named)).to.be.above(0);
    expect(await files().size(young)).to.equal(4);
    expect(await files().size(orphanKey)).to.equal(null);
    expect(await files().size(earlierAttemptKey)).to.equal(null);
    expect(await sweep()).to.equal(0);
  });
});

const bytes = Buffer.from("a file");

async function listAll(keys: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const key of keys) found.push(key);
  return found.toSorted();
}

describe("the cleanup of a file store", () => {
  eachFileStore((files) => {
    it("lists the keys of one folder", async () => {
      const keys = ["listed/aa/one.pdf", "listed/bb/two.pdf"];
      for (const key of [...keys, "listed-not/aa/three.pdf"])
        await files().put(key, bytes);
      expect(await listAll(files().keys("listed"))).to.deep.equal(keys);
      expect(await listAll(files().keys("empty"))).to.deep.equal([]);
    });

    it("deletes only what is older", async () => {
      const key = "swept/aa/one.pdf";
      await files().put(key, bytes);
      const hourMs = 3_600_000;
      const earlier = new Date(Date.now() - hourMs);
      const inAnHour = new Date(Date.now() + hourMs);
      expect(await files().deleteIfOlder(key, earlier)).to.equal(false);
      expect(await files().deleteIfOlder(key, inAnHour)).to.equal(true);
      expect(await files().deleteIfOlder(key, inAnHour)).to.equal(false);
      expect(await files().size(key)).to.equal(null);
    });
  });
});
