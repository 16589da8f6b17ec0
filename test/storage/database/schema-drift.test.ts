import { expect } from "chai";
import { describe, it } from "mocha";
import { schemaDrift } from "../../../core/storage/database/index.js";
import { eachDatabase } from "../../support/store.js";

describe("the migrated tables", () => {
  eachDatabase((open) => {
    it("match the entities", async () => {
      expect(await schemaDrift(await open())).to.deep.equal([]);
    });
  });
});
