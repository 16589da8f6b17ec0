import { expect } from "chai";
import { describe, it } from "mocha";
import { operator } from "../../../core/accounts/index.js";
import { Members } from "../../../core/accounts/sessions/index.js";
import { useService } from "../../support/service.js";
import { eachDatabase } from "../../support/store.js";
import {
  cookieOf,
  linkFor,
  newPerson,
  pressLink,
  signedIn,
} from "../../support/studio.js";

eachDatabase((_open, database) => {
  describe("a user who loses a role", () => {
    const service = useService({ config: { database } });
    const find = (email: string) => new Members(service.store).find(email);

    it("is signed out and signs in again with the new role", async () => {
      const person = await newPerson(service, "owner");
      const before = await signedIn(service, person);
      await new Members(service.store).changeRole(
        await find(person.email),
        "viewer",
        operator,
      );
      expect((await before.get("/studio/api/me")).status).to.equal(401);
      const after = await signedIn(service, person);
      const me = await (await after.get("/studio/api/me")).json();
      expect(me).to.include({ role: "viewer" });
    });

    it("is signed out when removed, and existing links become invalid", async () => {
      const person = await newPerson(service);
      const here = await signedIn(service, person);
      const link = await linkFor(service, person);
      const member = await find(person.email.toUpperCase());
      await new Members(service.store).remove(member, operator);
      expect((await here.get("/api/templates")).status).to.equal(401);
      expect(cookieOf(await pressLink(link))).to.equal("");
    });
  });
});
