import { expect } from "chai";
import { describe, it } from "mocha";
import { findSchemaDrift } from "../../../core/storage/database/index.js";
import { eachDatabase } from "../../support/store.js";

describe("the migrated tables", () => {
  eachDatabase((open) => {
    it("match the entities", async () => {
      expect(await findSchemaDrift(await open())).to.deep.equal([]);
    });
  });
});
