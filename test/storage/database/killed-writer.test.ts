import { expect } from "chai";
import { describe, it } from "mocha";
import { User } from "../../../core/storage/database/index.js";
import {
  eachDatabase,
  startStoreProcess,
  userNames,
  userRow,
} from "../../support/store.js";

describe("a process killed in the middle of a unit of work", () => {
  eachDatabase((open, location) => {
    it("leaves a consistent database that others can write to immediately", async () => {
      const store = await open();
      const writer = startStoreProcess("write-and-hang", location);
      await writer.firstLine;
      writer.kill();
      await writer.ended;
      await store.unitOfWork.run((tx) => tx.insert(User, userRow("After")));
      expect(await userNames(store)).to.deep.equal(["After", "Before"]);
    });
  });
});
