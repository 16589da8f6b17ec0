import { expect } from "chai";
import { describe, it } from "mocha";
import { z } from "zod";
import { partialSchema } from "../../core/api/routes/partials.js";
import { download, useApi } from "../support/api.js";
import { batchWhen, sendBatch } from "../support/batches.js";
import {
  json,
  newCaller,
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

    it("prints the components of a block, bound to the data of the template, in body, header and branches", async () => {
      await create("sum", [text("Sum {{ root.total }}")]);
      await create("top", [text("Top {{ root.total }}")]);
      const condition = {
        combinator: "and",
        rules: [{ field: "root.total", operator: "<", value: 0 }],
        else: [use("sum")],
      };
      const inside = { type: "container", components: [use("sum")] };
      const { id } = await template(
        [use("sum"), inside, text("never", { condition })],
        { page: { header: [use("top")] } },
      );
      const page = await html(id, { total: 7 });
      expect(page.match(/Sum 7/g)).to.have.length(3);
      expect(page).to.contain("Top 7");
    });

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

    it("names the block and the place of a problem in a block", async () => {
      await create("styled", [text("{{ root.missing }}", { class: "fancy" })]);
      const components = [
        text("a"),
        { type: "container", components: [use("styled")] },
      ];
      expect(await refusal(post(components)))
        .to.match(/^400 .*\$\.components\[1\]\.components\[0\]/)
        .and.contain('In the block "styled", at $.components[0].class');
      const styles = { fancy: { color: "red" } };
      const { warnings } = await template(components, { styles });
      expect(JSON.stringify(warnings)).to.contain(
        'In the block \\"styled\\", at $.components[0].text',
      );
    });

    it("suggests the nearest name for an unknown block", async () => {
      await create("signature", [text("Yours")]);
      expect(await refusal(post([use("signatur")]))).to.equal(
        '400 $.components[0].name: There is no block named "signatur" for this type of template. Did you mean "signature"?',
      );
      const missing = api.caller.get("/api/partials/signatur");
      expect(await refusal(missing)).to.match(/^404 .*signature/);
    });

    it("refuses a block in a block, in a template of the other type, and one that is invalid", async () => {
      await create("inner", [text("a")]);
      for (const [name, component, error] of [
        ["outer", use("inner"), "A block contains no other block"],
        ["Bad name", text("a"), "$.name"],
        ["bad", { type: "txt" }, "$.components[0].type: Unknown type"],
        ["bad", text("{{ 1 + }}"), "$.components[0].text"],
      ] as const) {
        const body = { name, components: [component] };
        const answer = api.caller.post("/api/partials", body);
        expect(await refusal(answer))
          .to.match(/^400 /)
          .and.contain(error);
      }
      await create("mail", [text("a")], { templateType: "email" });
      expect(await refusal(post([use("mail")]))).to.match(
        /^400 .*no block named "mail"/,
      );
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

    it("keeps blocks within their organization", async () => {
      await create("private", [text("secret")]);
      const other = await newCaller(api.service);
      expect(await json(other.get("/api/partials"))).to.eql({ data: [] });
      const components = [use("private")];
      expect((await post(components, {}, other)).status).to.equal(400);
      await create("private", [text("own")], {}, other);
      const made = await json<Made>(post(components, {}, other), 201);
      expect(await api.html({ templateId: made.id }, other))
        .to.contain("own")
        .and.not.contain("secret");
    });

    it("keeps an image that a block shows in the trash", async () => {
      const uploaded = await fetch(
        `${api.service.url}/api/assets?name=dot.svg`,
        {
          method: "POST",
          headers: {
            "x-api-key": api.caller.key,
            "content-type": "image/svg+xml",
          },
          body: '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>',
        },
      );
      const { id } = await json<Made>(uploaded, 201);
      await create("pictured", [{ type: "image", src: `asset:${id}` }]);
      const path = `/api/assets/${id}`;
      await json(api.caller.delete(path));
      expect(
        await refusal(api.caller.delete(`${path}?permanently=true`)),
      ).to.match(/^409 .*"pictured"/);
    });
  });
});
