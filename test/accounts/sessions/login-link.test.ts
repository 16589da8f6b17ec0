import { expect } from "chai";
import { describe, it } from "mocha";
import { operator } from "../../../core/accounts/index.js";
import { AuditEvent } from "../../../core/storage/database/index.js";
import * as tokens from "../../../core/app/tokens.js";
import { useService } from "../../support/service.js";
import { eachDatabase } from "../../support/store.js";
import {
  getCookie,
  linkFor,
  newPerson,
  pressLink,
} from "../../support/studio.js";

const getProblem = (response: Response) =>
  new URL(response.headers.get("location") ?? "", response.url).searchParams;

eachDatabase((_open, database) => {
  describe("a sign-in link", () => {
    const service = useService({ config: { database } });
    const newLink = async () => linkFor(service, await newPerson(service));

    it("is not consumed by opening it, and signs in when its button is clicked", async () => {
      const link = await newLink();
      for (const method of ["GET", "HEAD", "GET"]) {
        const page = await fetch(link, { method });
        expect(page.status).to.equal(200);
        expect(page.headers.getSetCookie()).to.deep.equal([]);
      }
      const response = await pressLink(link);
      expect(response.status).to.equal(303);
      expect(response.headers.get("location")).to.equal("/studio/");
      const me = await fetch(`${service.url}/studio/api/me`, {
        headers: { cookie: getCookie(response) },
      });
      expect(me.status).to.equal(200);
    });

    it("signs in once for several concurrent clicks", async () => {
      const link = await newLink();
      const clicks = await Promise.all(
        Array.from({ length: 8 }, () => pressLink(link)),
      );
      const won = clicks.filter((one) => getCookie(one) !== "");
      expect(won).to.have.length(1);
      const lost = clicks.filter((one) => getCookie(one) === "");
      for (const one of lost)
        expect(getProblem(one).get("problem")).to.equal("gone");
    });

    it("is limited per hour, even for concurrent requests", async () => {
      const person = await newPerson(service);
      const links = service.container.resolve(tokens.LOGIN_LINKS);
      const made = await Promise.all(
        Array.from({ length: 8 }, () => links.issueAtMost(5, person, operator)),
      );
      expect(made.filter((one) => one !== null)).to.have.length(5);
    });

    it("is rejected when it is expired or invalid", async () => {
      const link = await newLink();
      await service.store.unitOfWork.run((tx) =>
        tx.query("UPDATE login_link SET expires_at = created_at"),
      );
      expect(getProblem(await pressLink(link)).get("problem")).to.equal("gone");
      const wrong = await pressLink(link.slice(0, -2));
      expect(getProblem(wrong).get("problem")).to.equal("not_found");
    });

    it("is recorded in the audit log together with the sign-in, without its token", async () => {
      const person = await newPerson(service);
      const link = await linkFor(service, person);
      await pressLink(link);
      const { organizationId } = person;
      const events = await service.store.read.findBy(AuditEvent, {
        organizationId,
      });
      const actions = events.map(({ action }) => action);
      expect(actions).to.include.members([
        "login_link.created",
        "session.started",
      ]);
      const token = link.split("/").at(-1) ?? "";
      const rows = await service.store.read.query("SELECT * FROM login_link");
      expect(JSON.stringify([events, rows])).to.not.include(token);
    });
  });
});
