import { expect } from "chai";
import { describe, it } from "mocha";
import {
  newId,
  Organization,
  User,
} from "../../../core/storage/database/index.js";
import { eachDatabase, userRow } from "../../support/store.js";

describe("stored values", () => {
  eachDatabase((open) => {
    it("are read back exactly: text in all alphabets, key order, milliseconds", async () => {
      const store = await open();
      const name = "Ångström 東京 🎩 عربى";
      const user = { ...userRow("U"), name };
      const date = new Date("2026-03-29T01:30:00.123Z");
      const settings = { "margin-left": 1, a: [1e21, null], margin: "é" };
      const row = {
        id: newId(),
        name,
        plan: "pro" as const,
        serviceUserId: user.id,
        settings,
        createdAt: date,
        updatedAt: date,
      };
      await store.unitOfWork.run(async (tx) => {
        await tx.insert(User, user);
        await tx.insert(Organization, row);
      });
      const read = await store.read.findOneByOrFail(Organization, { name });
      expect(read).to.deep.include(row);
      expect(JSON.stringify(read.settings)).to.equal(JSON.stringify(settings));
    });

    it("are different when only their case differs", async () => {
      const store = await open();
      await store.unitOfWork.run((tx) => tx.insert(User, userRow("Case")));
      expect(await store.read.countBy(User, { name: "case" })).to.equal(0);
    });
  });
});
