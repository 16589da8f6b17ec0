import { expect } from "chai";
import { before, describe, it } from "mocha";
import { linkSchema } from "../../../core/api/routes/links.js";
import { AuditEvent } from "../../../core/storage/database/index.js";
import { readError, reader } from "../../support/caller.js";
import { readLink, createLink, postLink } from "../../support/links.js";
import {
  newRecordCaller,
  ordersPlatform,
  type RecordCaller,
  useRecordService,
} from "../../support/records.js";
import { anyDatabase } from "../../support/store.js";

anyDatabase((_open, database) => {
  describe("/api/links", () => {
    const service = useRecordService(ordersPlatform(), {
      config: { database },
    });
    let caller: RecordCaller;
    before(async () => {
      caller = await newRecordCaller(service);
    });

    it("creates a link and returns everything that it allows", async () => {
      const { token, url, ...link } = await createLink(caller);
      expect(link).to.deep.include({
        name: "Letter",
        platform: "memory",
        connectionId: caller.connectionId,
        tableId: "tblOrders",
        tableName: "Orders",
        attachmentField: "Invoice",
        formats: ["html"],
        overwriteExisting: false,
        state: "active",
        expiresAt: null,
        createdById: caller.userId,
      });
      expect(url).to.equal(`${service.url}/run/${token}`);
      const [header = "", , , sealed = ""] = token.split(".");
      const readable = [header, sealed].map((part) =>
        Buffer.from(part, "base64url").toString(),
      );
      expect(readable.join())
        .to.contain('"A256GCM"')
        .and.not.contain("tblOrders");
    });

    it("lists links without their addresses and returns one with its address", async () => {
      const link = await createLink(caller, { name: "Again" });
      const list = await (await caller.get("/api/links?pageSize=1")).text();
      expect(list).to.contain(link.id).and.not.contain("/run/");
      const shown = await readLink(await caller.get(`/api/links/${link.id}`));
      expect(shown).to.include({ id: link.id, name: "Again" });
      expect(await (await fetch(`${shown.url}?recordId=A`)).text()).to.contain(
        "Record not found",
      );
    });

    it("revokes a link once and records it once in the audit log", async () => {
      const { id } = await createLink(caller);
      const revoke = async () =>
        reader(linkSchema)(await caller.delete(`/api/links/${id}`));
      const { revokedAt } = await revoke();
      expect(await revoke()).to.include({ state: "revoked", revokedAt });
      const where = { subject: id };
      const notes = await service.store.read.findBy(AuditEvent, where);
      const actions = notes.map(({ action }) => action).toSorted();
      expect(actions).to.deep.equal(["link.created", "link.revoked"]);
    });

    for (const [more, status, message] of [
      [{ attachmentField: "Number" }, 400, "not an attachment field"],
      [{ attachmentField: "Bill" }, 400, 'no field "Bill"'],
      [{ tableId: "Nothing" }, 400, 'no table "Nothing"'],
      [{ templateId: "0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f" }, 404, "template"],
      [{ platform: "paper" }, 404, 'no platform "paper"'],
      [{ expiresAt: "2020-01-01T00:00:00Z" }, 400, "must be in the future"],
      [{ name: " " }, 400, "$.name"],
    ] as const)
      it(`rejects ${JSON.stringify(more)}`, async () => {
        const response = await postLink(caller, more);
        expect(response.status).to.equal(status);
        expect(await readError(response)).to.contain(message);
      });

    it("treats links of other organizations as missing", async () => {
      const { id } = await createLink(caller);
      const stranger = await newRecordCaller(service);
      expect((await stranger.get(`/api/links/${id}`)).status).to.equal(404);
      expect((await stranger.delete(`/api/links/${id}`)).status).to.equal(404);
      const list: unknown = await (await stranger.get("/api/links")).json();
      expect(list).to.have.property("data").that.deep.equals([]);
    });
  });
});
