import { expect } from "chai";
import {
  type Actor,
  AuditLog,
  findLastChange,
  operator,
  recordAudit,
} from "../../core/accounts/index.js";
import { newId, type Store, User } from "../../core/storage/database/index.js";
import { useFixedTime } from "../support/clock.js";
import { anyDatabase, createAccounts, newOwner } from "../support/store.js";

type AuditNote = Parameters<typeof recordAudit>[2];

const any = { action: null, userId: null, from: null, until: null };

anyDatabase((open) => {
  describe("the audit log", () => {
    const time = useFixedTime();
    let store: Store;
    before(async () => {
      store = await open();
    });
    const list = (organizationId: string, query: object = {}) =>
      new AuditLog(store).list(organizationId, {
        ...any,
        page: 1,
        pageSize: 10,
        ...query,
      });
    const record = (actor: Actor, note: AuditNote) => {
      time.advance(1000);
      return store.unitOfWork.run((tx) => recordAudit(tx, actor, note));
    };

    it("names who acted by which key on what, and what is gone as it was noted", async () => {
      const { organizationId, userId } = await newOwner(store);
      const other = await newOwner(store);
      const { keys } = createAccounts(store);
      const input = { name: "Shop", scopes: ["templates:read"] };
      const { id: keyId } = await keys.create(organizationId, input, operator);
      const foreign = await keys.create(
        other.organizationId,
        { ...input, name: "Theirs" },
        operator,
      );
      const from = new Date(time.now() + 1);
      const byKey = { origin: "rest", userId, keyId } as const;
      const byStranger: Actor = {
        origin: "studio",
        userId: newId(),
        keyId: newId(),
      };
      const gone = newId();
      const acts: [Actor, Omit<AuditNote, "organizationId">][] = [
        [byKey, { action: "api_key.revoked", subject: keyId }],
        [operator, { action: "api_key.revoked", subject: foreign.id }],
        [byStranger, { action: "user.removed", subject: userId }],
      ];
      for (const [action, details] of [
        ["template.trashed", { name: "Letter" }],
        ["user.created", { email: "a@example.com" }],
        ["webhook.deleted", { url: "https://example.com/" }],
        ["connection.deleted", { name: 7 }],
      ] as const)
        acts.push([operator, { action, subject: gone, details }]);
      for (const [actor, act] of acts)
        await record(actor, { organizationId, ...act });
      const { data, total } = await list(organizationId, { from });
      expect(total).to.equal(7);
      const people = new Set(data.map(({ person }) => person));
      expect([...people]).to.have.deep.members([
        null,
        { id: userId, name: "Acme (service)" },
        { id: byStranger.userId, name: "Unknown" },
      ]);
      const shown = data.map(({ action, origin, person, key, subject }) => [
        `${action} by ${person?.name ?? origin} with ${key ?? "no key"}`,
        subject,
      ]);
      expect(shown.toReversed()).to.deep.equal([
        [
          "api_key.revoked by Acme (service) with Shop",
          { id: keyId, name: "Shop" },
        ],
        ["api_key.revoked by cli with no key", { id: foreign.id, name: null }],
        [
          "user.removed by Unknown with no key",
          { id: userId, name: "Acme (service)" },
        ],
        ["template.trashed by cli with no key", { id: gone, name: "Letter" }],
        [
          "user.created by cli with no key",
          { id: gone, name: "a@example.com" },
        ],
        [
          "webhook.deleted by cli with no key",
          { id: gone, name: "https://example.com/" },
        ],
        ["connection.deleted by cli with no key", { id: gone, name: null }],
      ]);
      expect(data.map(({ details }) => details).toReversed()).to.deep.equal(
        acts.map(([, { details = null }]) => details),
      );
      expect(data[0]?.at).to.equal(new Date(time.now()).toISOString());
    });

    it("is read by pages, action, person and time, the newest first", async () => {
      const { organizationId, userId } = await newOwner(store);
      const acts: Date[] = [];
      const person = { origin: "studio", userId, keyId: null } as const;
      for (const actor of [operator, person, operator]) {
        const action = acts.length < 2 ? "link.created" : "link.revoked";
        const subject = String(acts.length);
        await record(actor, { organizationId, action, subject });
        acts.push(new Date(time.now()));
      }
      const [first, second, third] = acts;
      for (const [query, expected] of [
        [{}, ["2", "1", "0"]],
        [{ pageSize: 2 }, ["2", "1"]],
        [{ pageSize: 2, page: 2 }, ["0"]],
        [{ action: "link.created" }, ["1", "0"]],
        [{ userId }, ["1"]],
        [{ from: second }, ["2", "1"]],
        [{ until: third }, ["1", "0"]],
        [{ from: second, until: third }, ["1"]],
      ] as const) {
        const { data } = await list(organizationId, { from: first, ...query });
        expect(data.map(({ subject }) => subject.id)).to.deep.equal(expected);
      }
      const other = await newOwner(store);
      const theirs = await list(other.organizationId);
      expect(theirs.data.map(({ action }) => action)).to.deep.equal([
        "organization.created",
      ]);
    });

    it("tells who changed something last since a time", async () => {
      const { organizationId, userId } = await newOwner(store);
      const person = { origin: "studio", userId, keyId: null } as const;
      const since = new Date(time.now() + 1);
      const [action, subject] = ["link.changed", "x"] as const;
      const asked = { action, subject, since };
      const find = (more: object = {}, who = organizationId) =>
        findLastChange(store.read, who, { ...asked, ...more });
      expect(await find()).to.equal(null);
      for (const actor of [person, operator, person])
        await record(actor, { organizationId, action, subject });
      const { name } = await store.read.findOneByOrFail(User, { id: userId });
      expect(await find()).to.deep.equal({ userId, name, origin: "studio" });
      await record(operator, { organizationId, action, subject });
      const byOperator = { userId: null, name: null, origin: "cli" };
      expect(await find()).to.deep.equal(byOperator);
      const now = new Date(time.now());
      expect(await find({ since: now })).to.deep.equal(byOperator);
      for (const [more, who] of [
        [{ subject: "y" }],
        [{ action: "link.created" as const }],
        [{ since: new Date(now.getTime() + 1) }],
        [{}, (await newOwner(store)).organizationId],
      ] as const)
        expect(await find(more, who)).to.equal(null);
    });
  });
});
