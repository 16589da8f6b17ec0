import { expect } from "chai";
import { describe, it } from "mocha";
import { download, useApi } from "../support/api.js";
import { batchWhen, sendBatch } from "../support/batches.js";
import { json, replies } from "../support/caller.js";
import { anyDatabase } from "../support/store.js";

const text = (value: string) => ({ type: "text", text: value });

anyDatabase((_open, database) => {
  describe("a changed reusable block", () => {
    const api = useApi({ config: { database }, plan: "premium" });
    const change = (name: string, value: string) =>
      json(
        api.caller.patch(`/api/partials/${name}`, {
          components: [text(value)],
        }),
      );
    /** Creates a block, and a template of nothing else. */
    const create = async (name: string, value: string) => {
      const block = { name, components: [text(value)] };
      await json(api.caller.post("/api/partials", block), 201);
      const components = [{ type: "partial", name }];
      const body = { name: "Invoice", definition: { schema: [], components } };
      return json<{ id: string; thumbnailUrl: string }>(
        api.caller.post("/api/templates", body),
        201,
      );
    };

    it("gives the templates that use it another thumbnail", async () => {
      const { id, thumbnailUrl } = await create("bank", "IBAN 1");
      await change("bank", "IBAN 2");
      const now = await replies.template(
        await api.caller.get(`/api/templates/${id}`),
      );
      expect(now.thumbnailUrl).to.not.equal(thumbnailUrl);
      expect((await fetch(now.thumbnailUrl)).status).to.equal(200);
    });

    it("is printed in the next documents of an accepted batch", async () => {
      const { id: templateId } = await create("note", "Old");
      const items = Array.from({ length: 300 }, () => ({ data: {} }));
      const body = { templateId, formats: ["html"], items };
      const { batchId } = await sendBatch(api.caller, body);
      await batchWhen(
        api.caller,
        batchId,
        ({ counts }) => counts.succeeded > 0,
      );
      await change("note", "New");
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
  });
});
