import { expect } from "chai";
import { before, describe, it } from "mocha";
import { linkSchema } from "../../../core/api/routes/links.js";
import { AuditEvent } from "../../../core/storage/database/index.js";
import { readError, reader } from "../../support/caller.js";
import {
  createLink,
  createShortLivedLink,
  getFormToken,
  openAndSubmit,
  readLink,
  submitForm,
  waitForFinishedPage,
} from "../../support/links.js";
import { eventually } from "../../support/eventually.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  type RecordCaller,
  useRecordService,
} from "../../support/records.js";

describe("a link that is changed", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform);
  let caller: RecordCaller;
  before(async () => {
    caller = await newRecordCaller(service);
    for (const id of ["A", "B", "C"]) addOrder(platform, id);
  });
  const change = (id: string, patch: object) =>
    caller.patch(`/api/links/${id}`, patch);
  const readChanged = reader(linkSchema);

  it("keeps its address and saves files of other formats, in place of those that are there", async () => {
    const { id, url } = await createLink(caller);
    await waitForFinishedPage(await openAndSubmit(url, "A"));
    const changed = await readChanged(
      await change(id, { formats: ["mjml"], overwriteExisting: true }),
    );
    expect(changed).to.deep.include({
      attachmentField: "Invoice",
      formats: ["mjml"],
      overwriteExisting: true,
    });
    await waitForFinishedPage(await openAndSubmit(url, "A"));
    expect(platform.listFiles("A")).to.deep.equal(["Order A.mjml"]);
    const details = await service.store.read.findOneByOrFail(AuditEvent, {
      subject: id,
      action: "link.changed",
    });
    expect(details.details).to.deep.equal({
      name: "Letter",
      attachmentField: "Invoice",
      formats: ["mjml"],
      overwriteExisting: true,
    });
  });

  it("saves nothing any more once its field is removed", async () => {
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

  it("works again when it expires later, and for ever without a time", async () => {
    const { id, url, expiresAt } = await createShortLivedLink(caller, 1000);
    const press = async () => (await fetch(`${url}?recordId=C`)).status;
    await eventually(() => Date.now() > Date.parse(expiresAt ?? ""));
    expect(await press()).to.equal(401);
    const later = "2090-01-31T00:00:00.000Z";
    const longer = await readChanged(await change(id, { expiresAt: later }));
    expect(longer).to.include({ state: "active", expiresAt: later });
    expect(await press()).to.equal(200);
    const ever = await readChanged(await change(id, { expiresAt: null }));
    expect(ever).to.include({ state: "active", expiresAt: null });
    const past = await change(id, { expiresAt: "2020-01-01T00:00:00Z" });
    expect(past.status).to.equal(400);
  });

  it("asks again on a page that was shown before the change", async () => {
    const { id, url } = await createLink(caller);
    const page = await fetch(`${url}?recordId=C`);
    const form = getFormToken(await page.text());
    await change(id, { overwriteExisting: true });
    const answer = await submitForm(url, form);
    expect(answer.status).to.equal(409);
    expect(platform.listFiles("C")).to.deep.equal([]);
  });

  for (const [patch, message] of [
    [{ attachmentField: "Number" }, "not an attachment field"],
    [{ attachmentField: "Bill" }, 'no field "Bill"'],
    [{ formats: [] }, "$.formats"],
    [{ templateId: "x" }, "templateId"],
  ] as const)
    it(`stays as it is when the change is ${JSON.stringify(patch)}`, async () => {
      const { id } = await createLink(caller);
      const answer = await change(id, { name: "Other", ...patch });
      expect(answer.status).to.equal(400);
      expect(await readError(answer)).to.contain(message);
      const now = await readLink(await caller.get(`/api/links/${id}`));
      expect(now).to.deep.include({ name: "Letter", formats: ["html"] });
    });

  it("is missing for other organizations, and cannot change when it is revoked", async () => {
    const { id } = await createLink(caller);
    const stranger = await newRecordCaller(service);
    const patch = { formats: ["pdf"] };
    const foreign = await stranger.patch(`/api/links/${id}`, patch);
    expect(foreign.status).to.equal(404);
    await caller.delete(`/api/links/${id}`);
    expect((await change(id, patch)).status).to.equal(409);
  });

  it("keeps the field without which its records cannot be found", async () => {
    const { id } = await createLink(caller, {
      records: { emptyAttachment: true },
    });
    const refused = await change(id, { attachmentField: null });
    expect(refused.status).to.equal(400);
    expect(await readError(refused)).to.contain("needs attachmentField");
    const changed = await readChanged(await change(id, { formats: ["html"] }));
    expect(changed.records).to.deep.equal({ emptyAttachment: true });
  });
});
