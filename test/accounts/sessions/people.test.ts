import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { z } from "zod";
import { operator, SCOPES, Users } from "../../../core/accounts/index.js";
import {
  getRoleScopes,
  Members,
} from "../../../core/accounts/sessions/index.js";
import {
  AuditEvent,
  Membership,
} from "../../../core/storage/database/index.js";
import { reader } from "../../support/caller.js";
import { useService } from "../../support/service.js";
import { eachDatabase, anyDatabase, newOwner } from "../../support/store.js";
import {
  newPerson,
  newVisitor,
  type TestVisitor,
  getCookie,
  linkFor,
  pressLink,
  signInAs,
} from "../../support/studio.js";

const link = reader(
  z.object({
    url: z.string().nullable(),
    mail: z.literal("off"),
    expiresAt: z.string(),
  }),
);

function at(id?: string): string {
  return `/studio/api/people${id === undefined ? "" : `/${id}`}`;
}

/** Of the link that was answered with 201. */
async function hoursLeft(answer: Response): Promise<number> {
  const { expiresAt } = await link(answer, 201);
  return (Date.parse(expiresAt) - Date.now()) / 3_600_000;
}

eachDatabase((_open, database) => {
  describe("the users of an organization", () => {
    const service = useService({ config: { database } });
    let owner: TestVisitor;
    before(async () => {
      owner = await newVisitor(service);
    });
    const invite = (email: string, role = "editor") =>
      owner.send("POST", at(), { name: "Grace", email, role });

    it("are managed only by owners, each in their own organization", async () => {
      const editor = await newVisitor(service, "editor", owner.organizationId);
      expect((await editor.get(at())).status).to.equal(400);
      const stranger = await newVisitor(service);
      for (const answer of [
        await stranger.send("PATCH", at(owner.userId), { role: "viewer" }),
        await stranger.send("DELETE", at(owner.userId)),
        await stranger.send("POST", `${at(owner.userId)}/link`),
      ])
        expect(answer.status).to.equal(404);
      expect((await invite("no address")).status).to.equal(400);
      expect((await invite(editor.email)).status).to.equal(409);
      expect((await invite("a@example.com", "king")).status).to.equal(400);
    });

    it("keep one owner when two owners demote each other at once", async () => {
      const one = await newVisitor(service);
      const other = await newVisitor(service, "owner", one.organizationId);
      const role = { role: "viewer" };
      const answers = await Promise.all([
        one.send("PATCH", at(other.userId), role),
        other.send("PATCH", at(one.userId), role),
      ]);
      const { organizationId } = one;
      const owners = { organizationId, role: "owner" } as const;
      expect(await service.store.read.countBy(Membership, owners)).to.equal(1);
      expect(answers.map(({ status }) => status)).to.include(204);
    });

    it("are invited by links that are valid for days, longer than sign-in links", async () => {
      const email = `${randomUUID()}@example.com`;
      expect(await hoursLeft(await invite(email))).to.be.within(71, 72);
      const again = await owner.send("POST", `${at(owner.userId)}/link`);
      expect(await hoursLeft(again)).to.be.below(1);
    });

    it("are invited from elsewhere by links that do not sign in to another organization", async () => {
      const elsewhere = await newVisitor(service);
      const answer = await invite(elsewhere.email);
      expect((await link(answer, 201)).url).to.equal(null);
      const again = await owner.send("POST", `${at(elsewhere.userId)}/link`);
      expect((await link(again, 201)).url).to.equal(null);
      const now = await elsewhere.get("/studio/api/me");
      expect(now.status, "has to sign in anew").to.equal(401);
    });

    it("have every change recorded with its author", async () => {
      const { userId } = await newPerson(
        service,
        "viewer",
        owner.organizationId,
      );
      await owner.send("PATCH", at(userId), { role: "editor" });
      await owner.send("DELETE", at(userId));
      const noted = await service.store.read.findBy(AuditEvent, {
        subject: userId,
        origin: "studio",
        userId: owner.userId,
      });
      expect(noted.map(({ action }) => action)).to.have.members([
        "user.role_changed",
        "user.removed",
      ]);
    });
  });
});

describe("a role in an organization", () => {
  it("allows to read all, to write templates and documents, or everything", () => {
    const viewer = [
      "templates:read",
      "documents:read",
      "webhooks:read",
      "connections:read",
      "account:read",
    ];
    const editor = [...viewer, "templates:write", "documents:write"];
    expect(getRoleScopes("viewer")).to.have.members(viewer);
    expect(getRoleScopes("editor")).to.have.members(editor);
    expect(getRoleScopes("owner")).to.have.members(SCOPES);
  });
});

anyDatabase((_open, database) => {
  describe("a user who loses a role", () => {
    const service = useService({ config: { database } });
    const find = (email: string) => new Members(service.store).find(email);

    it("is signed out and signs in again with the new role", async () => {
      const person = await newPerson(service, "owner");
      const earlier = await signInAs(service, person);
      await new Members(service.store).changeRole(
        await find(person.email),
        "viewer",
        operator,
      );
      expect((await earlier.get("/studio/api/me")).status).to.equal(401);
      const after = await signInAs(service, person);
      const me = await (await after.get("/studio/api/me")).json();
      expect(me).to.include({ role: "viewer" });
    });

    it("is signed out when removed, and existing links become invalid", async () => {
      const person = await newPerson(service);
      const here = await signInAs(service, person);
      const invitation = await linkFor(service, person);
      const member = await find(person.email.toUpperCase());
      await new Members(service.store).remove(member, operator);
      expect((await here.get("/api/templates")).status).to.equal(401);
      expect(getCookie(await pressLink(invitation))).to.equal("");
    });
  });
});

const profile = reader(
  z.object({
    role: z.string(),
    organization: z.object({ id: z.string() }),
    organizations: z.array(z.object({ id: z.string() })),
  }),
);

describe("a user in two organizations", () => {
  const service = useService();

  it("switches to the other one with the role there, and to no others", async () => {
    const person = await newPerson(service, "owner");
    const other = await newOwner(service.store);
    const { email } = person;
    const asViewer = { name: "Ada", email, role: "viewer" } as const;
    const users = new Users(service.store);
    await users.create(other.organizationId, asViewer, operator);
    const visitor = await signInAs(service, person);
    const switchOrganization = (organizationId: string) =>
      visitor.send("POST", "/studio/api/me/organization", { organizationId });
    const me = async () => profile(await visitor.get("/studio/api/me"));

    expect((await me()).organizations).to.have.length(2);
    expect((await switchOrganization(other.organizationId)).status).to.equal(
      204,
    );
    const there = await me();
    expect(there.organization.id).to.equal(other.organizationId);
    expect(there.role).to.equal("viewer");
    expect((await visitor.get("/studio/api/keys")).status).to.equal(400);
    const foreign = await newOwner(service.store);
    expect((await switchOrganization(foreign.organizationId)).status).to.equal(
      404,
    );
  });
});
