import { expect } from "chai";
import { useApi } from "../support/api.js";
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
  });
});
