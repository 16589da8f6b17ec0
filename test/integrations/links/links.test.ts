import { expect } from "chai";
import {
  createFormulas,
  linkSchema,
} from "../../../core/integrations/platforms/index.js";
import { listActs } from "../../support/audit.js";
import { refusal, reader } from "../../support/caller.js";
import {
  createLink,
  getFormToken,
  openAndSubmit,
  postLink,
  readLink,
  soon,
  submitForm,
  tomorrow,
  waitForFinishedPage,
} from "../../support/links.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  type RecordCaller,
  useRecordService,
} from "../../support/records.js";
import { readRows } from "../../support/rows.js";
import { anyDatabase } from "../../support/store.js";

const readChanged = reader(linkSchema);

anyDatabase((_open, database) => {
  describe("/api/links", () => {
    const platform = ordersPlatform();
    const service = useRecordService(platform, { config: { database } });
    let caller: RecordCaller;
    before(async () => {
      caller = await newRecordCaller(service);
      for (const id of ["A", "B", "C"]) addOrder(platform, id);
    });
    const change = (id: string, patch: object) =>
      caller.patch(`/api/links/${id}`, patch);
    const listActions = async (id: string) => {
      const acts = await listActs(service, caller.organizationId, id);
      return acts.map(({ action }) => action);
    };

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
      expect(await (await fetch(`${shown.url}?recordId=?`)).text()).to.contain(
        "Record not found",
      );
    });

    it("revokes a link once, records it once in the audit log, and changes it no more", async () => {
      const { id } = await createLink(caller);
      const revoke = async () =>
        readChanged(await caller.delete(`/api/links/${id}`));
      const { revokedAt } = await revoke();
      expect(await revoke()).to.include({ state: "revoked", revokedAt });
      expect(await listActions(id)).to.deep.equal([
        "link.created",
        "link.revoked",
      ]);
      expect((await change(id, { name: "New" })).status).to.equal(409);
      const active = await caller.get("/api/links?isRevoked=false");
      expect(await active.text()).to.not.contain(id);
    });

    const misfit =
      'The template and the request do not match the table "Orders".';
    const noField = `$.attachmentField: The table "Orders" has no field "Bill". Available: "Invoice".`;
    const noAttachment = `$.attachmentField: "Number" is not an attachment field but text. Name an attachment field.`;
    for (const [more = "", error] of readRows(`
      {"attachmentField":"Number"} | 400 ${misfit} ${noAttachment}
      {"attachmentField":"Bill"} | 400 ${misfit} ${noField}
      {"tableId":"Nothing"} | 400 There is no table "Nothing" that the connection can read. Available: "Orders", "Lines", "Products", "Customers".
      {"templateId":"0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f"} | 404 There is no such template.
      {"platform":"paper"} | 404 There is no platform "paper".
      {"expiresAt":"2020-01-01T00:00:00Z"} | 400 $.expiresAt: must be in the future. Omit it for a link that does not expire.
      {"name":" "} | 400 $.name: must have 1 to 200 characters.
    `))
      it(`rejects ${more}`, async () => {
        const answer = postLink(caller, JSON.parse(more));
        expect(await refusal(answer)).to.equal(error);
      });

    it("keeps a link's address when it changes, and saves files of other formats in place of those that are there", async () => {
      const { id, url } = await createLink(caller);
      await waitForFinishedPage(await openAndSubmit(url, "A"));
      const more = { formats: ["mjml"], overwriteExisting: true };
      const changed = await readChanged(await change(id, more));
      expect(changed).to.deep.include({ attachmentField: "Invoice", ...more });
      await waitForFinishedPage(await openAndSubmit(url, "A"));
      expect(platform.listFiles("A")).to.deep.equal(["Order A.mjml"]);
      const [, act] = await listActs(service, caller.organizationId, id);
      expect(act).to.deep.include({
        action: "link.changed",
        details: { name: "Letter", attachmentField: "Invoice", ...more },
      });
    });

    it("saves nothing any more once a link's field is removed", async () => {
      const { id, url } = await createLink(caller);
      const changed = await readChanged(
        await change(id, { attachmentField: null }),
      );
      expect(changed).to.deep.include({ attachmentField: null });
      await waitForFinishedPage(await openAndSubmit(url, "B"));
      expect(platform.listFiles("B")).to.deep.equal([]);
      await change(id, { attachmentField: "Invoice" });
      await waitForFinishedPage(await openAndSubmit(url, "B"));
      expect(platform.listFiles("B")).to.deep.equal(["Order B.html"]);
    });

    it("revives an expired link that is to expire later, or never", async () => {
      const { id, url } = await createLink(caller, { expiresAt: soon() });
      const press = async () => (await fetch(`${url}?recordId=C`)).status;
      expect(await press()).to.equal(200);
      await tomorrow(async () => {
        expect(await press()).to.equal(401);
        for (const expiresAt of ["2090-01-31T00:00:00.000Z", null]) {
          const changed = await readChanged(await change(id, { expiresAt }));
          expect(changed).to.include({ state: "active", expiresAt });
          expect(await press()).to.equal(200);
        }
        const past = await change(id, { expiresAt: "2020-01-01T00:00:00Z" });
        expect(past.status).to.equal(400);
      });
    });

    it("asks again on a page that was shown before the link changed", async () => {
      const { id, url } = await createLink(caller);
      const page = await fetch(`${url}?recordId=C`);
      const form = getFormToken(await page.text());
      await change(id, { overwriteExisting: true });
      expect((await submitForm(url, form)).status).to.equal(409);
      expect(platform.listFiles("C")).to.deep.equal([]);
    });

    for (const [patch = "", message] of readRows(`
      {"attachmentField":"Number"} | ${misfit} ${noAttachment}
      {"attachmentField":"Bill"} | ${misfit} ${noField}
      {"formats":[]} | Invalid request body. $.formats: must contain at least one item.
      {"templateId":"x"} | Invalid request body. $.templateId: unknown field. Known: name, isPaused, attachmentField, formats, overwriteExisting, deliver, expiresAt.
    `))
      it(`leaves a link as it is when the change is ${patch}`, async () => {
        const { id } = await createLink(caller);
        const answer = change(id, { name: "Other", ...JSON.parse(patch) });
        expect(await refusal(answer)).to.equal(`400 ${message}`);
        const now = await readLink(await caller.get(`/api/links/${id}`));
        expect(now).to.deep.include({ name: "Letter", formats: ["html"] });
      });

    it("keeps the field without which a link's records cannot be found", async () => {
      const records = { emptyAttachment: true };
      const { id } = await createLink(caller, { records });
      expect(await refusal(change(id, { attachmentField: null }))).to.equal(
        "400 The records cannot be selected. $.records.emptyAttachment: needs attachmentField, the field that is empty.",
      );
      const changed = await readChanged(await change(id, { name: "New" }));
      expect(changed.records).to.deep.equal(records);
    });

    it("creates nothing by the page or the token of a paused link until it is resumed", async () => {
      const { id, url, token } = await createLink(caller);
      const paused = await readChanged(await change(id, { isPaused: true }));
      expect(paused.state).to.equal("paused");
      expect((await fetch(`${url}?recordId=B`)).status).to.equal(409);
      const send = () =>
        fetch(`${service.url}/api/export/batch/memory`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ token, recordIds: ["B"] }),
        });
      const refused = await send();
      expect(refused.status).to.equal(409);
      expect(await refused.text()).to.contain("This link is paused");
      await change(id, { isPaused: false });
      expect((await send()).status).to.equal(202);
    });
  });
});

describe("the formulas of a link", () => {
  const url = "https://documents.example.com/run/TOKEN";
  for (const [platform, name, ...expected] of [
    ["airtable", "A", `"${url}?recordId=" & RECORD_ID()`],
    [
      "nocodb",
      'A "B"',
      `CONCAT("${url}?recordId=", RECORD_ID())`,
      `URL(CONCAT("${url}?recordId=", RECORD_ID()), "A B")`,
    ],
    [
      "google-sheets",
      'A "B"',
      `=HYPERLINK("${url}?recordId=" & ENCODEURL(A2), "A ""B""")`,
    ],
    ["directus", "A", `${url}?recordId={{id}}`],
    ["sql", "A"],
  ] as const)
    it(`use the functions and quotes of ${platform}`, () => {
      const formulas = createFormulas(platform, url, name);
      expect(formulas.map(({ formula }) => formula)).to.deep.equal(expected);
    });
});
