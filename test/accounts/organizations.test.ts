import { expect } from "chai";
import { describe, it } from "mocha";
import { operator } from "../../core/accounts/index.js";
import {
  AuditEvent,
  Membership,
  newId,
  Organization,
  User,
} from "../../core/storage/database/index.js";
import { anyDatabase, createAccounts, getRejection } from "../support/store.js";

describe("Organizations", () => {
  anyDatabase((open) => {
    it("have a user of their own from the start and an entry in the audit log", async () => {
      const store = await open();
      const { organizations } = createAccounts(store);
      const made = await organizations.create(
        { name: " Acme ", plan: "premium" },
        operator,
      );
      expect(made).to.include({ name: "Acme", plan: "premium" });
      expect(await organizations.get(made.id)).to.deep.equal(made);
      const { id } = made;
      const row = await store.read.findOneByOrFail(Organization, { id });
      const user = await store.read.findOneByOrFail(User, {
        id: row.serviceUserId,
      });
      expect(user.name).to.equal("Acme (service)");
      expect(user.email).to.match(/@platen\.invalid$/);
      expect(
        await store.read.findOneBy(Membership, { organizationId: id }),
      ).to.include({ userId: user.id, role: "service" });
      expect(
        await store.read.findOneBy(AuditEvent, { organizationId: id }),
      ).to.include({ action: "organization.created", origin: "cli" });
    });

    it("reject an empty name and an unknown plan in one error", async () => {
      const { organizations } = createAccounts(await open());
      const input: object = { name: " ", plan: "gold" };
      const create = organizations.create.bind(organizations);
      const error = await getRejection(
        Reflect.apply(create, null, [input, operator]),
      );
      expect(String(error)).to.include("name must not be empty");
      expect(String(error)).to.include("plan must be one of free, pro");
    });

    it("are not found by an invalid id", async () => {
      const { organizations } = createAccounts(await open());
      for (const id of ["nonsense", newId()])
        expect(await getRejection(organizations.get(id))).to.include({
          code: "not_found",
        });
    });
  });
});
