import { expect } from "chai";
import { describe, it } from "mocha";
import { operator } from "../../../core/accounts/index.js";
import { Members } from "../../../core/accounts/sessions/index.js";
import { useService } from "../../support/service.js";
import { anyDatabase } from "../../support/store.js";
import {
  getCookie,
  linkFor,
  newPerson,
  pressLink,
  signInAs,
} from "../../support/studio.js";

anyDatabase((_open, database) => {
  describe("a user who loses a role", () => {
    const service = useService({ config: { database } });
    const find = (email: string) => new Members(service.store).find(email);

    it("is signed out and signs in again with the new role", async () => {
      const person = await newPerson(service, "owner");
      const before = await signInAs(service, person);
      await new Members(service.store).changeRole(
        await find(person.email),
        "viewer",
        operator,
      );
      expect((await before.get("/studio/api/me")).status).to.equal(401);
      const after = await signInAs(service, person);
      const me = await (await after.get("/studio/api/me")).json();
      expect(me).to.include({ role: "viewer" });
    });

    it("is signed out when removed, and existing links become invalid", async () => {
      const person = await newPerson(service);
      const here = await signInAs(service, person);
      const link = await linkFor(service, person);
      const member = await find(person.email.toUpperCase());
      await new Members(service.store).remove(member, operator);
      expect((await here.get("/api/templates")).status).to.equal(401);
      expect(getCookie(await pressLink(link))).to.equal("");
    });
  });
});
