import { expect } from "chai";
import { describe, it } from "mocha";
import { z } from "zod";
import { partialSchema } from "../../core/api/routes/partials.js";
import { download, useApi } from "../support/api.js";
import { batchWhen, sendBatch } from "../support/batches.js";
import {
  json,
  reader,
  refusal,
  replies,
  type TestCaller,
} from "../support/caller.js";
import { anyDatabase } from "../support/store.js";

const block = reader(partialSchema);
const blocks = reader(z.strictObject({ data: z.array(partialSchema) }));

interface Made {
  id: string;
  thumbnailUrl: string;
  warnings: unknown[];
}

const text = (value: string, more: object = {}) => ({
  type: "text",
  text: value,
  ...more,
});
const use = (name: string) => ({ type: "partial", name });
const schema = [{ id: "root", fields: [{ name: "total", type: "Number" }] }];

anyDatabase((_open, database) => {
  describe("reusable blocks", () => {
    const api = useApi({ config: { database }, plan: "premium" });
    const create = async (
      name: string,
      components: object[],
      more: object = {},
      by: TestCaller = api.caller,
    ) =>
      block(await by.post("/api/partials", { name, components, ...more }), 201);
    const change = async (name: string, ...components: object[]) =>
      block(await api.caller.patch(`/api/partials/${name}`, { components }));
    const post = (components: object[], more: object = {}, by = api.caller) =>
      by.post("/api/templates", {
        name: "Invoice",
        definition: { schema, components, ...more },
      });
    const template = (components: object[], more: object = {}) =>
      json<Made>(post(components, more), 201);
    const html = (templateId: string, data: object = {}) =>
      api.html({ templateId, data });

    it("prints a changed block in every template, and in a duplicate, with the next document", async () => {
      await create("bank", [text("IBAN 1")]);
      const first = await template([use("bank")]);
      const second = await template([use("bank")]);
      const path = `/api/templates/${first.id}`;
      const copy = await json<Made>(
        api.caller.post(`${path}/duplicate`, {}),
        201,
      );
      const all = [first, second, copy];
      for (const { id } of all) expect(await html(id)).to.contain("IBAN 1");
      await change("bank", text("IBAN 2"));
      for (const { id } of all)
        expect(await html(id))
          .to.contain("IBAN 2")
          .and.not.contain("IBAN 1");
      const now = await replies.template(await api.caller.get(path));
      expect(now.thumbnailUrl).to.not.equal(first.thumbnailUrl);
      expect((await fetch(now.thumbnailUrl)).status).to.equal(200);
    });

    it("prints a changed block in the next documents of an accepted batch", async () => {
      await create("note", [text("Old")]);
      const { id: templateId } = await template([use("note")]);
      const items = Array.from({ length: 300 }, () => ({ data: {} }));
      const body = { templateId, formats: ["html"], items };
      const { batchId } = await sendBatch(api.caller, body);
      await batchWhen(
        api.caller,
        batchId,
        ({ counts }) => counts.succeeded > 0,
      );
      await change("note", text("New"));
      const list = `/api/documents?batchId=${batchId}&pageSize=100`;
      const queued = await replies.documents(
        await api.caller.get(`${list}&status=queued`),
      );
      const ids = queued.data.map(({ id }) => id);
      expect(ids).to.not.deep.equal([]);
      await batchWhen(api.caller, batchId);
      const pages = ids.map(async (id) => {
        const { outputs } = await replies.document(
          await api.caller.get(`/api/documents/${id}`),
        );
        return (await download(outputs[0]?.url)).toString();
      });
      for (const page of await Promise.all(pages))
        expect(page).to.contain("New").and.not.contain("Old");
    });

    it("keeps a footer with page numbers, and an email section, as blocks", async () => {
      const number = { type: "page-number", format: "{page}/{pages}" };
      await create("numbers", [number]);
      const page = { footer: [use("numbers")] };
      const { id } = await template([text("a")], { page });
      expect(await html(id)).to.contain("a");
      const column = { type: "column", components: [text("Hello block")] };
      const section = { type: "section", components: [column] };
      await create("hello", [section], { templateType: "email" });
      const email = { subject: "S" };
      const mail = await api.caller.publish({
        templateType: "email",
        definition: { schema, email, components: [use("hello")] },
      });
      expect(await html(mail)).to.contain("Hello block");
    });

    it("uses a block with ids and a repeated row twice in a template", async () => {
      const collection = { collectionId: "line", path: "root.lines" };
      await create("lines", [
        text("{{ line.name }}", { id: "row", collection }),
      ]);
      const lines = { name: "lines", type: "OneToManyLink", target: "lines" };
      const { id } = await template([use("lines"), use("lines")], {
        schema: [
          { id: "root", fields: [lines] },
          { id: "lines", fields: [{ name: "name", type: "String" }] },
        ],
      });
      const data = { lines: [{ name: "Nut" }, { name: "Bolt" }] };
      expect((await html(id, data)).match(/Nut|Bolt/g)?.join()).to.equal(
        "Nut,Bolt,Nut,Bolt",
      );
    });

    it("refuses a change that makes a template invalid", async () => {
      await create("tail", [text("a")]);
      const { id } = await template([use("tail")]);
      const components = [{ type: "page-number" }];
      expect(
        await refusal(api.caller.patch("/api/partials/tail", { components })),
      ).to.match(/^400 .*The template "Invoice" would be invalid/);
      expect(await html(id)).to.contain("a");
    });

    it("does not delete a block that a template, its newest version or its draft uses", async () => {
      const path = "/api/partials/kept";
      await create("kept", [text("a")]);
      const { id } = await template([use("kept")]);
      expect(await refusal(api.caller.delete(path))).to.match(
        /^409 .*"Invoice"/,
      );
      const { data } = await blocks(await api.caller.get("/api/partials"));
      expect(data.find(({ name }) => name === "kept")?.usedBy).to.deep.equal([
        { id, name: "Invoice", isPublished: true },
      ]);
      const redefine = (more: object = {}) =>
        json(
          api.caller.put(`/api/templates/${id}/definition`, {
            definition: { schema, components: [] },
            ...more,
          }),
        );
      await redefine();
      expect((await api.caller.delete(path)).status).to.equal(409);
      await redefine({ createVersion: true });
      const deleted = await block(await api.caller.delete(path));
      expect(deleted).to.include({ name: "kept" });
      const { error } = await api.fail({ templateId: id, templateVersion: 1 });
      expect(error).to.contain('uses the block "kept", which was deleted');
    });

    it("refuses a change of a version that is not current, and a name that is taken", async () => {
      const path = "/api/partials/counted";
      const { version } = await create("counted", [text("a")]);
      const edit = { title: "Counted", expectedVersion: version };
      const next = await block(await api.caller.patch(path, edit));
      expect(next).to.include({ title: "Counted", version: version + 1 });
      const taken = { name: "counted", components: [] };
      for (const answer of [
        api.caller.patch(path, edit),
        api.caller.post("/api/partials", taken),
      ])
        expect(await refusal(answer)).to.match(/^409 /);
    });
  });
});
