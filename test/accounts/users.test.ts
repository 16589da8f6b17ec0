import { expect } from "chai";
import { before, describe, it } from "mocha";
import { operator } from "../../core/accounts/index.js";
import type { Store } from "../../core/storage/database/index.js";
import {
  anyDatabase,
  createAccounts,
  newOrganization,
  getRejection,
} from "../support/store.js";

describe("Users", () => {
  anyDatabase((open) => {
    let store: Store;
    before(async () => {
      store = await open();
    });
    const create = (organizationId: string, input: object = {}) =>
      createAccounts(store).users.create(
        organizationId,
        { name: "Ada", email: "Ada@Example.com", ...input },
        operator,
      );

    it("have the role editor unless another one is given", async () => {
      const organizationId = await newOrganization(store);
      const image = "https://example.com/ada.png";
      expect(await create(organizationId, { image })).to.include({
        organizationId,
        email: "ada@example.com",
        role: "editor",
        image,
      });
    });

    it("join a second organization as the same user, but no organization twice", async () => {
      const first = await newOrganization(store);
      const email = "joins@example.com";
      const { id } = await create(first, { email });
      const again = await create(await newOrganization(store), {
        email,
        role: "viewer",
      });
      expect(again).to.include({ id, role: "viewer" });
      expect(await getRejection(create(first, { email }))).to.include({
        code: "conflict",
      });
    });

    it("reject an invalid email address or picture", async () => {
      const organizationId = await newOrganization(store);
      const bad = { email: "ada", image: "javascript:alert(1)" };
      const error = String(await getRejection(create(organizationId, bad)));
      expect(error).to.include("email must be an email address");
      expect(error).to.include("image must be an http or https address");
    });
  });
});
