import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import { partialSchema } from "../../core/api/routes/partials.js";
import { changedTemplateSchema } from "../../core/api/routes/templates.js";
import { batchWhen, newBatchCaller, sendBatch } from "../support/batches.js";
import {
  newCaller,
  readError,
  reader,
  replies,
  type TestCaller,
} from "../support/caller.js";
import { exportFailing, useService } from "../support/service.js";
import { anyDatabase } from "../support/store.js";

const block = reader(partialSchema);
const blocks = reader(z.strictObject({ data: z.array(partialSchema) }));
const changed = reader(changedTemplateSchema);
const made = reader(
  z.looseObject({ id: z.string(), thumbnailUrl: z.string() }),
);

const text = (value: string) => ({ type: "text", text: value });
const use = (name: string) => ({ type: "partial", name });
const schema = [{ id: "root", fields: [{ name: "total", type: "Number" }] }];

anyDatabase((_open, database) => {
  describe("reusable blocks", () => {
    const service = useService({ config: { database } });
    let caller: TestCaller;
    before(async () => {
      caller = await newCaller(service);
    });

    const create = async (
      name: string,
      components: object[],
      more: object = {},
      by = caller,
    ) => {
      const body = { name, components, ...more };
      return block(await by.post("/api/partials", body), 201);
    };
    const template = async (components: object[], more: object = {}) => {
      const definition = { schema, components, ...more };
      const body = { name: "Invoice", definition };
      return made(await caller.post("/api/templates", body), 201);
    };
    const html = async (templateId: string, data: object = {}) => {
      const body = { templateId, formats: ["html"], data };
      const result = await replies.exported(
        await caller.post("/api/export", body),
      );
      return result.html?.htmlDocument ?? "";
    };

    it("prints the components of a block, bound to the data of the template, in body, header and branches", async () => {
      await create("sum", [text("Sum {{ root.total }}")]);
      await create("top", [text("Top {{ root.total }}")]);
      const branch = {
        type: "text",
        text: "never",
        condition: {
          combinator: "and",
          rules: [{ field: "root.total", operator: "<", value: 0 }],
          else: [use("sum")],
        },
      };
      const inside = { type: "container", components: [use("sum")] };
      const { id } = await template([use("sum"), inside, branch], {
        page: { header: [use("top")] },
      });
      const page = await html(id, { total: 7 });
      expect(page.match(/Sum 7/g)).to.have.length(3);
      expect(page).to.contain("Top 7");
    });

    it("prints a changed block in every template with the next document", async () => {
      await create("bank", [text("IBAN 1")]);
      const first = await template([use("bank")]);
      const second = await template([use("bank")]);
      for (const { id } of [first, second])
        expect(await html(id)).to.contain("IBAN 1");
      await block(
        await caller.patch("/api/partials/bank", {
          components: [text("IBAN 2")],
        }),
      );
      for (const { id } of [first, second]) {
        const page = await html(id);
        expect(page).to.contain("IBAN 2");
        expect(page).to.not.contain("IBAN 1");
      }
      const now = await replies.template(
        await caller.get(`/api/templates/${first.id}`),
      );
      expect(now.thumbnailUrl).to.not.equal(first.thumbnailUrl);
      expect((await fetch(now.thumbnailUrl)).status).to.equal(200);
    });

    it("prints a changed block in the next documents of an accepted batch", async () => {
      const other = await newBatchCaller(service);
      await create("note", [text("Old")], {}, other);
      const definition = { schema, components: [use("note")] };
      const { id: templateId } = await made(
        await other.post("/api/templates", { name: "B", definition }),
        201,
      );
      const items = Array.from({ length: 300 }, () => ({ data: {} }));
      const body = { templateId, formats: ["html"], items };
      const { batchId } = await sendBatch(other, body);
      await batchWhen(other, batchId, ({ counts }) => counts.succeeded > 0);
      const components = [text("New")];
      await block(await other.patch("/api/partials/note", { components }));
      const list = `/api/documents?batchId=${batchId}&pageSize=100`;
      const waiting = await replies.documents(
        await other.get(`${list}&status=queued`),
      );
      const ids = waiting.data.map(({ id }) => id);
      expect(ids).to.not.deep.equal([]);
      await batchWhen(other, batchId);
      const pages = ids.map(async (id) => {
        const { outputs } = await replies.document(
          await other.get(`/api/documents/${id}`),
        );
        return (await fetch(outputs[0]?.url ?? "")).text();
      });
      for (const page of await Promise.all(pages))
        expect(page).to.contain("New").and.not.contain("Old");
    });

    it("names the block and the place of a problem in a block", async () => {
      await create("styled", [
        { ...text("{{ root.missing }}"), class: "fancy" },
      ]);
      const definition = {
        schema,
        components: [
          text("a"),
          { type: "container", components: [use("styled")] },
        ],
      };
      const response = await caller.post("/api/templates", {
        name: "N",
        definition,
      });
      expect(response.status).to.equal(400);
      const error = await readError(response);
      expect(error).to.contain("$.components[1].components[0]");
      expect(error).to.contain(
        'In the block "styled", at $.components[0].class',
      );
      const { warnings } = await made(
        await caller.post("/api/templates", {
          name: "N",
          definition: { ...definition, styles: { fancy: { color: "red" } } },
        }),
        201,
      );
      expect(JSON.stringify(warnings)).to.contain(
        'In the block \\"styled\\", at $.components[0].text',
      );
    });

    it("suggests the nearest name for an unknown block", async () => {
      await create("signature", [text("Yours")]);
      const response = await caller.post("/api/templates", {
        name: "N",
        definition: { schema, components: [use("signatur")] },
      });
      expect(await readError(response)).to.equal(
        '$.components[0].name: There is no block named "signatur" for this type of template. Did you mean "signature"?',
      );
      const missing = await caller.get("/api/partials/signatur");
      expect(missing.status).to.equal(404);
      expect(await readError(missing)).to.contain("signature");
    });

    it("refuses a block in a block, in a template of the other type, and one that is invalid", async () => {
      const post = async (body: object) =>
        readError(await caller.post("/api/partials", body));
      await create("inner", [text("a")]);
      expect(
        await post({ name: "outer", components: [use("inner")] }),
      ).to.contain("A block contains no other block");
      expect(await post({ name: "Bad name", components: [] })).to.contain(
        "$.name",
      );
      expect(
        await post({ name: "bad", components: [{ type: "txt" }] }),
      ).to.contain("$.components[0].type: Unknown type");
      expect(
        await post({ name: "bad", components: [text("{{ 1 + }}")] }),
      ).to.contain("$.components[0].text");
      await create("mail", [text("a")], { templateType: "email" });
      const response = await caller.post("/api/templates", {
        name: "N",
        definition: { schema, components: [use("mail")] },
      });
      expect(await readError(response)).to.contain('no block named "mail"');
    });

    it("keeps a header with page numbers, and an email section, as blocks", async () => {
      const number = { type: "page-number", format: "{page}/{pages}" };
      await create("numbers", [number]);
      const { id } = await template([text("a")], {
        page: { footer: [use("numbers")] },
      });
      expect(await html(id)).to.contain("a");
      const section = {
        type: "section",
        components: [{ type: "column", components: [text("Hello block")] }],
      };
      await create("hello", [section], { templateType: "email" });
      const email = await made(
        await caller.post("/api/templates", {
          name: "Mail",
          templateType: "email",
          definition: {
            schema,
            email: { subject: "S" },
            components: [use("hello")],
          },
        }),
        201,
      );
      expect(await html(email.id)).to.contain("Hello block");
    });

    it("uses a block with ids and a repeated row twice in a template", async () => {
      const row = {
        id: "row",
        ...text("{{ line.name }}"),
        collection: { collectionId: "line", path: "root.lines" },
      };
      await create("lines", [row]);
      const lines = { name: "lines", type: "OneToManyLink", target: "lines" };
      const definition = {
        schema: [
          { id: "root", fields: [lines] },
          { id: "lines", fields: [{ name: "name", type: "String" }] },
        ],
        components: [use("lines"), use("lines")],
      };
      const { id } = await made(
        await caller.post("/api/templates", { name: "Twice", definition }),
        201,
      );
      const page = await html(id, {
        lines: [{ name: "Nut" }, { name: "Bolt" }],
      });
      expect(page.match(/Nut|Bolt/g)).to.deep.equal([
        "Nut",
        "Bolt",
        "Nut",
        "Bolt",
      ]);
    });

    it("refuses a change that makes a template invalid", async () => {
      await create("tail", [text("a")]);
      const { id } = await template([use("tail")]);
      const sign = {
        type: "page-number",
      };
      const response = await caller.patch("/api/partials/tail", {
        components: [sign],
      });
      expect(response.status).to.equal(400);
      expect(await readError(response)).to.contain(
        'The template "Invoice" would be invalid',
      );
      expect(await html(id)).to.contain("a");
    });

    it("does not delete a block that a template, its newest version or its draft uses", async () => {
      await create("kept", [text("a")]);
      const { id } = await template([use("kept")]);
      const first = await caller.delete("/api/partials/kept");
      expect(first.status).to.equal(409);
      expect(await readError(first)).to.contain('"Invoice"');
      const { data } = await blocks(await caller.get("/api/partials"));
      expect(data.find(({ name }) => name === "kept")?.usedBy).to.deep.equal([
        { id, name: "Invoice", isPublished: true },
      ]);
      const definition = { schema, components: [] };
      const path = `/api/templates/${id}/definition`;
      await changed(await caller.put(path, { definition }));
      expect((await caller.delete("/api/partials/kept")).status).to.equal(409);
      await changed(
        await caller.put(path, { definition, createVersion: true }),
      );
      expect(await block(await caller.delete("/api/partials/kept"))).to.include(
        {
          name: "kept",
        },
      );
      const { error } = await exportFailing(caller, {
        templateId: id,
        templateVersion: 1,
        formats: ["html"],
        data: {},
      });
      expect(error).to.contain('uses the block "kept", which was deleted');
    });

    it("refuses a change of a version that is not current, and a name that is taken", async () => {
      const { version } = await create("counted", [text("a")]);
      const path = "/api/partials/counted";
      const next = await block(
        await caller.patch(path, {
          title: "Counted",
          expectedVersion: version,
        }),
      );
      expect(next).to.include({ title: "Counted", version: version + 1 });
      const late = await caller.patch(path, {
        title: "Late",
        expectedVersion: version,
      });
      expect(late.status).to.equal(409);
      const taken = await caller.post("/api/partials", {
        name: "counted",
        components: [],
      });
      expect(taken.status).to.equal(409);
    });

    it("keeps blocks within their organization", async () => {
      await create("private", [text("secret")]);
      const other = await newCaller(service);
      expect(await blocks(await other.get("/api/partials"))).to.deep.equal({
        data: [],
      });
      for (const response of [
        await other.get("/api/partials/private"),
        await other.patch("/api/partials/private", { title: "Mine" }),
        await other.delete("/api/partials/private"),
      ])
        expect(response.status).to.equal(404);
      const body = {
        name: "N",
        definition: { schema, components: [use("private")] },
      };
      expect((await other.post("/api/templates", body)).status).to.equal(400);
      await create("private", [text("own")], {}, other);
      const { id } = await made(await other.post("/api/templates", body), 201);
      const response = await other.post("/api/export", {
        templateId: id,
        formats: ["html"],
        data: {},
      });
      const result = await replies.exported(response);
      const page = result.html?.htmlDocument;
      expect(page).to.contain("own").and.not.contain("secret");
    });

    it("keeps the blocks of a duplicate up to date", async () => {
      await create("shared", [text("One")]);
      const { id } = await template([use("shared")]);
      const copy = await made(
        await caller.post(`/api/templates/${id}/duplicate`, {}),
        201,
      );
      await block(
        await caller.patch("/api/partials/shared", {
          components: [text("Two")],
        }),
      );
      expect(await html(copy.id)).to.contain("Two");
    });

    it("keeps an image that a block shows in the trash", async () => {
      const uploaded = await fetch(`${service.url}/api/assets?name=dot.svg`, {
        method: "POST",
        headers: { "x-api-key": caller.key, "content-type": "image/svg+xml" },
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>',
      });
      const { id } = z
        .looseObject({ id: z.string() })
        .parse(await uploaded.json());
      await create("pictured", [{ type: "image", src: `asset:${id}` }]);
      await caller.delete(`/api/assets/${id}`);
      const response = await caller.delete(
        `/api/assets/${id}?permanently=true`,
      );
      expect(response.status).to.equal(409);
      expect(await readError(response)).to.contain('"pictured"');
    });
  });
});
