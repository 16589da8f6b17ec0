import { join } from "node:path";
import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import * as tokens from "../../core/app/tokens.js";
import { Compute } from "../../core/compute/index.js";
import {
  Document,
  openStore,
  Template,
} from "../../core/storage/database/index.js";
import { deleteExpiredOutputs } from "../../core/storage/files/index.js";
import { InlineTemplates } from "../../core/templates/index.js";
import { INLINE_TEMPLATES } from "../../core/templates/tokens.js";
import {
  newCaller,
  readError,
  replies,
  requestsTo,
  type TestCaller,
} from "../support/caller.js";
import { newBatchCaller } from "../support/batches.js";
import { until } from "../support/eventually.js";
import { silentLog } from "../support/recording-log.js";
import {
  type ServiceProcess,
  startServiceProcess,
} from "../support/service-process.js";
import { exported, useService } from "../support/service.js";
import { anyDatabase, publish } from "../support/store.js";
import { suiteFolder } from "../support/store-folder.js";

const later = new Date("2040-01-01T00:00:00Z");
const definition = {
  schema: [{ id: "root", fields: [{ name: "name", type: "String" }] }],
  components: [{ type: "text", text: "Hello {{ root.name }}" }],
};
const formats = ["html"];
const data = { name: "Ada" };

/** A reusable block. */
const block = (text: string) => ({ components: [{ type: "text", text }] });

let number = 0;
/** One that no other test has. */
function newDefinition(): typeof definition & { fileName: string } {
  number += 1;
  return { ...definition, fileName: `File ${number}` };
}

anyDatabase((_open, database) => {
  describe("a definition in an export request", () => {
    const service = useService({ config: { database } });
    let caller: TestCaller;
    const send = (body: object, by = caller) =>
      by.post("/api/export", { formats, data, ...body });
    const rejection = async (body: object, by = caller) => {
      const response = await send(body, by);
      return `${response.status} ${await readError(response)}`;
    };
    const rows = () =>
      service.store.read.findBy(Template, {
        organizationId: caller.organizationId,
      });
    const sweepFiles = (now: Date) =>
      deleteExpiredOutputs(
        service.store,
        service.container.resolve(tokens.FILE_STORE),
        now,
      );
    const sweep = (now: Date) =>
      service.container.resolve(INLINE_TEMPLATES).sweep(now);

    const countDocuments = async () => {
      const { documents } = z
        .object({ documents: z.number() })
        .parse(await (await caller.get("/api/usage")).json());
      return documents;
    };
    const sendOnce = async (sent: object) => {
      const response = await fetch(`${service.url}/api/export`, {
        method: "POST",
        headers: {
          "x-api-key": caller.key,
          "content-type": "application/json",
          "idempotency-key": "inline-1",
        },
        body: JSON.stringify(sent),
      });
      return [response.status, response.headers.get("x-document-id")];
    };
    before(async () => {
      caller = await newBatchCaller(service);
    });

    it("is rendered, and the document has a template that is in no list", async () => {
      const written = newDefinition();
      const { result, document } = await exported(caller, {
        definition: written,
        formats,
        data,
      });
      expect(result.html?.htmlDocument).to.include("Hello Ada");
      const list = await caller.get("/api/templates?pageSize=100");
      expect(await list.text()).not.to.include(document.templateId);
      const found = await replies.template(
        await caller.get(`/api/templates/${document.templateId}`),
      );
      expect(found.definition).to.deep.include({ fileName: written.fileName });
      const documents = await replies.documents(
        await caller.get("/api/documents?pageSize=100"),
      );
      expect(
        documents.data.find(({ id }) => id === document.id)?.template.name,
      ).to.equal("Inline definition");
    });

    it("may be of an email", async () => {
      const email = {
        schema: [],
        email: { subject: "Hi {{ root.name }}" },
        components: [{ type: "text", text: "Hello" }],
      };
      const { result } = await exported(caller, {
        definition: email,
        templateType: "email",
        formats: ["mjml"],
        data,
      });
      expect(result.mjml?.mjmlDocument).to.include("Hi Ada");
    });

    it("excludes a template, and one of the two is required", async () => {
      const templateId = await publish(service.store, caller);
      expect(await rejection({ definition, templateId })).to.match(
        /^400 .*definition: excludes templateId/,
      );
      expect(await rejection({})).to.match(/^400 .*templateId: is required/);
      expect(await rejection({ definition, templateVersion: 1 })).to.match(
        /^400 .*templateVersion/,
      );
      expect(await rejection({ templateId, templateType: "email" })).to.match(
        /^400 .*templateType/,
      );
    });

    it("requires the scope of templates too", async () => {
      const reader = await newCaller(service, [
        "templates:read",
        "documents:write",
      ]);
      expect(await rejection({ definition }, reader)).to.match(
        /^400 .*templates:write/,
      );
      const writer = await newCaller(service, ["templates:write"]);
      expect(await rejection({ definition }, writer)).to.match(
        /^400 .*documents:write/,
      );
      const both = await newCaller(service, [
        "templates:write",
        "documents:write",
      ]);
      expect((await send({ definition }, both)).status).to.equal(200);
    });

    it("has the same errors as one that is saved, and leaves nothing", async () => {
      const earlier = (await rows()).length;
      const broken = {
        ...definition,
        components: [{ type: "txt", text: "{{ root.name | upp }}" }],
      };
      expect(await rejection({ definition: broken })).to.match(
        /^400 .*\$\.components\[0\].*Unknown type "txt"/,
      );
      const large = { ...definition, "x-note": "x".repeat(2 * 1024 * 1024) };
      expect(await rejection({ definition: large })).to.match(
        /^400 .*The limit is 2097152 bytes/,
      );
      expect(await rejection({ definition: "text" })).to.match(
        /^400 .*definition: must be an object/,
      );
      expect((await rows()).length).to.equal(earlier);
    });

    it("is stored once, also for requests at the same time", async () => {
      const written = newDefinition();
      const earlier = (await rows()).length;
      const all = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const { document } = await exported(caller, {
            definition: written,
            formats,
            data,
          });
          return document.templateId;
        }),
      );
      expect(new Set(all).size).to.equal(1);
      expect((await rows()).length).to.equal(earlier + 1);
    });

    it("is not shared between organizations", async () => {
      const written = newDefinition();
      const other = await newCaller(service);
      const idFor = async (by: TestCaller, more: object = {}) =>
        (await exported(by, { definition: written, formats, data, ...more }))
          .document.templateId;
      const ids = [await idFor(caller), await idFor(other)];
      expect(new Set(ids).size).to.equal(2);
    });

    it("cannot be changed, drafted, deleted or used as a template", async () => {
      const { document } = await exported(caller, {
        definition: newDefinition(),
        formats,
        data,
      });
      const { templateId } = document;
      expect(await rejection({ templateId })).to.match(/^404 /);
      const path = `/api/templates/${templateId}`;
      for (const response of [
        await caller.patch(path, { name: "Mine" }),
        await caller.delete(path),
        await caller.post("/api/export/batch", {
          templateId,
          formats,
          items: [{ data }],
        }),
      ])
        expect(response.status).to.equal(404);
      const copy = await caller.post(`${path}/duplicate`, {});
      expect(copy.status).to.equal(201);
    });

    it("counts as one document, and not in tests", async () => {
      const earlier = await countDocuments();
      await send({ definition: newDefinition() });
      await send({ definition: newDefinition(), isTest: true });
      expect(await countDocuments()).to.equal(earlier + 1);
    });

    it("is rendered once under an Idempotency-Key", async () => {
      const body = { formats, data, definition: newDefinition() };
      const first = await sendOnce(body);
      expect(first[0]).to.equal(200);
      expect(await sendOnce(body)).to.eql(first);
      const [status] = await sendOnce({ ...body, definition: newDefinition() });
      expect(status).to.equal(409);
    });

    it("uses the present version of a reusable block", async () => {
      const path = "/api/partials/terms";
      const made = await caller.post("/api/partials", {
        name: "terms",
        ...block("Version one"),
      });
      expect(made.status).to.equal(201);
      const written = {
        schema: [],
        components: [{ type: "partial", name: "terms" }],
      };
      const print = async () =>
        (await exported(caller, { definition: written, formats, data })).result
          .html?.htmlDocument;
      expect(await print()).to.include("Version one");
      const changed = await caller.patch(path, block("Version two"));
      expect(changed.status).to.equal(200);
      expect(await print()).to.include("Version two");
      expect((await caller.delete(path)).status).to.be.below(300);
      expect(await rejection({ definition: written })).to.match(
        /^400 .*partial|^400 .*block/,
      );
    });

    it("goes with the files of its last document, and comes back with the next request", async () => {
      const written = newDefinition();
      const render = async (expiresAt: string) =>
        (
          await exported(caller, {
            definition: written,
            formats: ["pdf"],
            data,
            expiresAt,
          })
        ).document;
      const first = await render("2038-12-31");
      const last = await render("2039-12-31");
      const { templateId } = first;
      const path = `/api/templates/${templateId}`;
      await sweepFiles(new Date("2039-01-01T00:00:00Z"));
      await sweep(new Date("2039-01-01T00:00:00Z"));
      expect((await caller.get(path)).status).to.equal(200);
      await sweepFiles(later);
      await sweep(later);
      expect((await caller.get(path)).status).to.equal(404);
      const row = await service.store.read.findOneByOrFail(Template, {
        id: templateId,
      });
      expect(JSON.stringify(row.definition)).not.to.include("Hello");
      const left = await replies.document(
        await caller.get(`/api/documents/${last.id}`),
      );
      expect(left.templateId).to.equal(templateId);
      const again = await render("2041-01-01");
      expect(again.templateId).to.equal(templateId);
      expect((await caller.get(path)).status).to.equal(200);
    });

    it("stays while a document is rendered, and for an hour after its last use", async () => {
      const { document } = await exported(caller, {
        definition: newDefinition(),
        formats,
        data,
        isTest: true,
      });
      const { templateId } = document;
      const state = async () =>
        (await service.store.read.findOneByOrFail(Template, { id: templateId }))
          .trashedAt;
      const change = (columns: object) =>
        service.store.unitOfWork.run((tx) =>
          tx.update(Document, { id: document.id }, columns),
        );
      await change({ purgeAt: null });
      await sweep(new Date());
      expect(await state()).to.equal(null);
      await change({ status: "rendering" });
      await sweep(later);
      expect(await state()).to.equal(null);
      await change({ status: "failed" });
      await sweep(later);
      expect(await state()).not.to.equal(null);
    });
  });
});

describe("a kill -9 while definitions are rendered", () => {
  const folder = join(suiteFolder(), "data");
  let service: ServiceProcess;

  it("leaves only templates that the next request or sweep can use", async () => {
    service = startServiceProcess({ PLATEN_DATA: folder });
    const url = await service.url;
    const key = (await readFile(join(folder, "demo-key.txt"), "utf8")).trim();
    const written = Array.from({ length: 40 }, newDefinition);
    const rendered = new Map<string, string>();
    const render = async (one: { fileName: string }, at: string) => {
      const response = await requestsTo(() => at, key).post("/api/export", {
        definition: one,
        formats,
        data,
      });
      const id = response.headers.get("x-document-id") ?? "";
      const document = await replies.document(
        await requestsTo(() => at, key).get(`/api/documents/${id}`),
      );
      rendered.set(one.fileName, document.templateId);
      return document.templateId;
    };
    const renders = written.map((one) => render(one, url).catch(() => null));
    await until("some are rendered", () => rendered.size > 3);
    service.kill("SIGKILL");
    await Promise.all([service.ended, ...renders]);
    const earlier = new Map(rendered);

    service = startServiceProcess({ PLATEN_DATA: folder });
    const next = await service.url;
    for (const one of written) {
      const id = await render(one, next);
      const known = earlier.get(one.fileName);
      if (known !== undefined) expect(id).to.equal(known);
    }
    service.kill("SIGKILL");
    await service.ended;

    const store = await openStore({
      database: { kind: "sqlite", file: join(folder, "platen.sqlite") },
      migrate: false,
      log: silentLog,
    });
    try {
      const find = async () =>
        (await store.read.find(Template)).filter(
          ({ inlineHash }) => inlineHash !== null,
        );
      expect(await find()).to.have.length(written.length);
      await store.unitOfWork.run((tx) =>
        tx.query("UPDATE document SET purge_at = NULL"),
      );
      const inline = new InlineTemplates(store, new Compute());
      expect(await inline.sweep(later)).to.equal(written.length);
      for (const { definition: left, trashedAt } of await find()) {
        expect(left).to.eql({ schema: [], components: [] });
        expect(trashedAt).not.to.equal(null);
      }
    } finally {
      await store.close();
    }
  });
});
