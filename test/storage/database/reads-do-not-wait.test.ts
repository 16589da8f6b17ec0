import { expect } from "chai";
import { describe, it } from "mocha";
import { User } from "../../../core/storage/database/index.js";
import { eachDatabase, userNames, userRow } from "../../support/store.js";

describe("a read outside of a unit of work", () => {
  eachDatabase((open) => {
    it("neither waits for the writer nor sees uncommitted rows", async () => {
      const store = await open();
      await store.unitOfWork.run(async (tx) => {
        await tx.insert(User, userRow("Uncommitted"));
        expect(await tx.countBy(User, { name: "Uncommitted" })).to.equal(1);
        expect(await userNames(store)).to.deep.equal([]);
      });
      expect(await userNames(store)).to.deep.equal(["Uncommitted"]);
    });
  });
});
