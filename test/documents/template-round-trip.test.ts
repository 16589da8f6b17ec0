import { expect } from "chai";
import { before, describe, it } from "mocha";
import type { TemplateOwner } from "../../core/templates/index.js";
import type { Store } from "../../core/storage/database/index.js";
import { blueprints } from "../../core/templates/index.js";
import {
  eachDatabase,
  newOwner,
  publish,
  createTemplates,
} from "../support/store.js";

describe("a template that is exported and imported again", () => {
  eachDatabase((open) => {
    let store: Store;
    let owner: TemplateOwner;
    before(async () => {
      store = await open();
      owner = await newOwner(store);
    });

    async function roundTrip(file: object): Promise<string> {
      const id = await publish(store, owner, file);
      const exported = await createTemplates(store).export(
        owner.organizationId,
        id,
      );
      return JSON.stringify(exported);
    }

    for (const { id, translations: _, ...blueprint } of blueprints())
      it(`is identical byte for byte: ${id}`, async () => {
        const once = await roundTrip(blueprint);
        expect(await roundTrip(JSON.parse(once))).to.equal(once);
      });

    it("keeps extensions, key order, and every text and number", async () => {
      const definition = {
        "x-z": { b: 1, a: [1.5, -0.25, 1e21, "é\u2028\ud83d\ude00", null, {}] },
        components: [
          { "x-note": { 2: "b", 1: "a" }, type: "text", id: "a", text: "x" },
        ],
        schema: [{ fields: [], id: "root" }],
      };
      const file = {
        name: "N",
        templateType: "document",
        description: null,
        definition,
      };
      expect(await roundTrip(file)).to.equal(JSON.stringify(file));
    });
  });
});
