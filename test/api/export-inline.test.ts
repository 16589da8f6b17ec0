import { expect } from "chai";
import { describe, it } from "mocha";
import { useApi } from "../support/api.js";
import * as tokens from "../../core/app/tokens.js";
import { Document, Template } from "../../core/storage/database/index.js";
import { deleteExpiredOutputs } from "../../core/storage/files/index.js";
import { json, newCaller, refusal, replies } from "../support/caller.js";
import { useFixedTime } from "../support/clock.js";
import { anyDatabase, definition, eachDatabase } from "../support/store.js";

const later = new Date("2040-01-01T00:00:00Z");
const data = { name: "Ada" };
const text = (value: string) => ({ type: "text", text: value });

let number = 0;
/** One that no other test has. */
function newDefinition(): typeof definition & { fileName: string } {
  number += 1;
  return { ...definition, fileName: `File ${number}` };
}

anyDatabase((_open, database) => {
  describe("a definition in an export request", () => {
    // No month may end under way: usage is read.
    useFixedTime();
    const api = useApi({ config: { database }, plan: "premium" });
    const render = async (body: object = {}) =>
      (await api.render({ definition: newDefinition(), data, ...body }))
        .document;

    it("is rendered, and the document has a template that is in no list", async () => {
      const written = newDefinition();
      const body = { definition: written, data };
      const { result, document } = await api.render(body);
      expect(result.html?.htmlDocument).to.include("Hello Ada");
      const list = await api.caller.get("/api/templates?pageSize=100");
      expect(await list.text()).not.to.include(document.templateId);
      const template = await replies.template(
        await api.caller.get(`/api/templates/${document.templateId}`),
      );
      expect(template.definition).to.deep.include({
        fileName: written.fileName,
      });
      const documents = await replies.documents(
        await api.caller.get("/api/documents"),
      );
      expect(documents.data[0]?.template.name).to.equal("Inline definition");
    });

    it("may be of an email", async () => {
      const email = { subject: "Hi {{ root.name }}" };
      const { result } = await api.render({
        definition: { schema: [], email, components: [text("Hello")] },
        templateType: "email",
        formats: ["mjml"],
        data,
      });
      expect(result.mjml?.mjmlDocument).to.include("Hi Ada");
    });

    it("is refused beside a template and its fields, and with the errors of one that is saved", async () => {
      const { templateId } = api;
      const faulty = { schema: [], components: [{ type: "txt" }] };
      const large = { ...definition, "x-note": "x".repeat(2 * 1024 * 1024) };
      for (const [body, error] of [
        [{ definition, templateId }, "definition: excludes templateId"],
        [{ templateId: undefined }, "templateId: is required"],
        [{ definition, templateVersion: 1 }, "templateVersion"],
        [{ templateType: "email" }, "templateType"],
        [{ definition: faulty }, '$.components[0].type: Unknown type "txt"'],
        [{ definition: large }, "The limit is 2097152 bytes"],
        [{ definition: "text" }, "definition: must be an object"],
      ] as const)
        expect(await api.refused(body))
          .to.match(/^400 /)
          .and.contain(error);
    });

    it("requires the scope of templates too", async () => {
      for (const [scopes, missing] of [
        [["templates:read", "documents:write"], "templates:write"],
        [["templates:write"], "documents:write"],
      ] as const)
        expect(
          await api.refused(
            { definition },
            await newCaller(api.service, scopes),
          ),
        ).to.match(new RegExp(`^400 .*${missing}`));
      const both = ["templates:write", "documents:write"];
      const caller = await newCaller(api.service, both);
      expect((await api.send({ definition }, caller)).status).to.equal(200);
    });

    it("cannot be changed, deleted or used as a template, but duplicated", async () => {
      const { templateId } = await render();
      expect(await api.refused({ templateId })).to.match(/^404 /);
      const path = `/api/templates/${templateId}`;
      const batch = { templateId, formats: ["html"], items: [{ data }] };
      for (const answer of [
        api.caller.patch(path, { name: "Mine" }),
        api.caller.delete(path),
        api.caller.post("/api/export/batch", batch),
      ])
        expect(await refusal(answer)).to.match(/^404 /);
      await json(api.caller.post(`${path}/duplicate`, {}), 201);
    });

    const countDocuments = async () =>
      (await json(api.caller.get("/api/usage")))["documents"];

    it("counts as one document, and not in tests", async () => {
      const earlier = await countDocuments();
      await render();
      await render({ isTest: true });
      expect(await countDocuments()).to.equal(Number(earlier) + 1);
    });

    const sendOnce = async (written: object) => {
      const response = await fetch(`${api.service.url}/api/export`, {
        method: "POST",
        headers: {
          "x-api-key": api.caller.key,
          "content-type": "application/json",
          "idempotency-key": "inline-1",
        },
        body: JSON.stringify({ definition: written, formats: ["html"] }),
      });
      return [response.status, response.headers.get("x-document-id")];
    };

    it("is rendered once under an Idempotency-Key", async () => {
      const written = newDefinition();
      const first = await sendOnce(written);
      expect(first[0]).to.equal(200);
      expect(await sendOnce(written)).to.eql(first);
      expect((await sendOnce(newDefinition()))[0]).to.equal(409);
    });

    it("uses the present version of a reusable block", async () => {
      const path = "/api/partials/terms";
      const block = { name: "terms", components: [text("Version one")] };
      await json(api.caller.post("/api/partials", block), 201);
      const components = [{ type: "partial", name: "terms" }];
      const body = { definition: { schema: [], components } };
      expect(await api.html(body)).to.include("Version one");
      const next = { components: [text("Version two")] };
      await json(api.caller.patch(path, next));
      expect(await api.html(body)).to.include("Version two");
      await json(api.caller.delete(path));
      expect(await api.refused(body)).to.match(/^400 .*"terms"/);
    });
  });
});

eachDatabase((_open, database) => {
  describe("the template of a definition in an export request", () => {
    const api = useApi({ config: { database } });
    const render = async (body: object = {}) =>
      (await api.render({ definition: newDefinition(), data, ...body }))
        .document;
    const find = async () =>
      (await api.service.store.read.find(Template)).filter(
        ({ inlineHash }) => inlineHash !== null,
      );
    /** Deletes expired files, and then the templates that have none. */
    const sweep = async (now: Date) => {
      const { store, container } = api.service;
      const files = container.resolve(tokens.FILE_STORE);
      await deleteExpiredOutputs(store, files, now);
      await container.resolve(tokens.INLINE_TEMPLATES).sweep(now);
    };
    const status = async (templateId: string) =>
      (await api.caller.get(`/api/templates/${templateId}`)).status;

    it("is stored once for each organization, also for requests at the same time, and not when it is faulty", async () => {
      const written = { definition: newDefinition() };
      const earlier = (await find()).length;
      const stranger = await newCaller(api.service);
      const faulty = { schema: [], components: [{ type: "txt" }] };
      expect(await api.refused({ definition: faulty })).to.match(/^400 /);
      const ids = Array.from({ length: 8 }, async (_, index) => {
        const by = index === 7 ? stranger : api.caller;
        return (await api.render(written, by)).headers.get("x-document-id");
      });
      expect(new Set(await Promise.all(ids)).size).to.equal(8);
      expect((await find()).length).to.equal(earlier + 2);
    });

    it("goes with the files of its last document, and comes back with the next request", async () => {
      const written = newDefinition();
      const print = (expiresAt: string) =>
        render({ definition: written, expiresAt });
      const { templateId } = await print("2038-12-31");
      const last = await print("2039-12-31");
      await sweep(new Date("2039-01-01T00:00:00Z"));
      expect(await status(templateId)).to.equal(200);
      await sweep(later);
      expect(await status(templateId)).to.equal(404);
      const row = (await find()).find(({ id }) => id === templateId);
      expect(JSON.stringify(row?.definition)).not.to.include("Hello");
      const left = await replies.document(
        await api.caller.get(`/api/documents/${last.id}`),
      );
      expect(left.templateId).to.equal(templateId);
      expect(await print("2041-01-01")).to.include({ templateId });
      expect(await status(templateId)).to.equal(200);
    });

    it("stays while a document is rendered, and for an hour after its last use", async () => {
      const { id, templateId } = await render({ isTest: true });
      const inline = api.service.container.resolve(tokens.INLINE_TEMPLATES);
      for (const [columns, now, expected] of [
        [{ purgeAt: null }, new Date(), 200],
        [{ status: "rendering" }, later, 200],
        [{ status: "failed" }, later, 404],
      ] as const) {
        await api.service.store.unitOfWork.run((tx) =>
          tx.update(Document, { id }, columns),
        );
        await inline.sweep(now);
        expect(await status(templateId)).to.equal(expected);
      }
    });
  });
});
