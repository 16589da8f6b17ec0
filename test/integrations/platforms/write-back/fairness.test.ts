import { expect } from "chai";
import { after, afterEach, before, describe, it } from "mocha";
import { WriteBack } from "../../../../core/storage/database/index.js";
import {
  addTestBase,
  listFiles,
  newAirtableCaller,
  sendBase,
} from "../../../support/airtable-bases.js";
import { eventually } from "../../../support/eventually.js";
import { FakeAirtable } from "../../../support/fakes/fake-airtable.js";
import {
  openAndSubmit,
  readLink,
  waitForFinishedPage,
} from "../../../support/links.js";
import { waitForWriteBacks } from "../../../support/records.js";
import { useService } from "../../../support/service.js";

const outbound = { allowPrivateNetworks: ["127.0.0.0/8"] };
const createFiles = (count: number) =>
  Array.from({ length: count }, (_, at) => [`Quick ${at}.html`]);

describe("write-backs to a base", () => {
  const service = useService({ config: { outbound } });
  let fake: FakeAirtable;
  let resolveAll: (() => void) | undefined;
  const release = () => resolveAll?.();
  before(async () => {
    fake = await FakeAirtable.start();
  });
  afterEach(() => {
    release();
    fake.beforeUpload = () => undefined;
  });
  after(() => fake.close());

  /** Has uploads into these bases hang. @returns how many do. */
  const delayUploads = (
    ids: readonly string[],
    exceptRecord?: string,
  ): (() => number) => {
    let count = 0;
    const released = new Promise<void>((resolve) => (resolveAll = resolve));
    fake.beforeUpload = (baseId, recordId) => {
      if (!ids.includes(baseId) || recordId === exceptRecord) return undefined;
      count += 1;
      return released;
    };
    return () => count;
  };

  it("arrive while twelve uploads to another base of the same connection hang, and the twelve arrive once each", async () => {
    const caller = await newAirtableCaller(service, fake);
    const slow = addTestBase(fake, "Slow", 12);
    const quick = addTestBase(fake, "Quick", 3);
    const countDelayed = delayUploads([slow.id]);
    const { batchId: slowId } = await sendBase(caller, slow);
    await eventually(() => countDelayed() >= 4);
    const { batchId } = await sendBase(caller, quick);
    const { writeBack } = await waitForWriteBacks(caller, batchId);
    expect(writeBack).to.include({ succeeded: 3 });
    expect(listFiles(quick)).to.deep.equal(createFiles(3));
    expect(listFiles(slow).flat()).to.deep.equal([]);
    // One of the five that the base allows at once is left to people.
    expect(countDelayed()).to.equal(4);
    release();
    await waitForWriteBacks(caller, slowId);
    expect(listFiles(slow).every(({ length }) => length === 1)).to.equal(true);
  });

  it("arrive while the uploads of five other organizations hang", async () => {
    const caller = await newAirtableCaller(service, fake);
    const quick = addTestBase(fake, "Quick", 3);
    const others = await Promise.all(
      Array.from({ length: 5 }, async (_, at) => ({
        caller: await newAirtableCaller(service, fake),
        base: addTestBase(fake, `Slow ${at}`, 6),
      })),
    );
    const countDelayed = delayUploads(others.map(({ base }) => base.id));
    const sent = await Promise.all(
      others.map((one) => sendBase(one.caller, one.base)),
    );
    await eventually(() => countDelayed() === 20);
    const { batchId } = await sendBase(caller, quick);
    await waitForWriteBacks(caller, batchId);
    expect(listFiles(quick)).to.deep.equal(createFiles(3));
    release();
    await Promise.all(
      others.map((one, at) =>
        waitForWriteBacks(one.caller, sent[at]?.batchId ?? ""),
      ),
    );
  });

  it("of a person who pressed a button arrive while the twelve of a batch to the same base hang", async () => {
    const caller = await newAirtableCaller(service, fake);
    const base = addTestBase(fake, "Shop", 13);
    const [pressed = "", ...others] = base.recordIds;
    const countDelayed = delayUploads([base.id], pressed);
    const sent = await sendBase(caller, base, { recordIds: others });
    await eventually(() => countDelayed() >= 4);
    const body = {
      templateId: caller.templateId,
      platform: "airtable",
      baseId: base.id,
      tableId: "Orders",
      attachmentField: "Documents",
      formats: ["html"],
    };
    const { url } = await readLink(await caller.post("/api/links", body), 201);
    const page = await waitForFinishedPage(await openAndSubmit(url, pressed));
    expect(page).to.contain("saved in the field “Documents”");
    expect(listFiles(base).flat()).to.deep.equal(["Shop 0.html"]);
    release();
    await waitForWriteBacks(caller, sent.batchId);
  });

  it("arrive while another base is under a rate penalty, whose own are not started and say when they go on", async () => {
    const caller = await newAirtableCaller(service, fake);
    const slow = addTestBase(fake, "Penalized", 12);
    const quick = addTestBase(fake, "Quick", 3);
    fake.beforeUpload = (baseId) => {
      if (baseId === slow.id) fake.limit.block(slow.id);
    };
    const sent = await sendBase(caller, slow);
    await eventually(() => fake.limit.rejected > 0);
    const { batchId } = await sendBase(caller, quick);
    await waitForWriteBacks(caller, batchId);
    expect(listFiles(quick)).to.deep.equal(createFiles(3));
    const { rejected } = fake.limit;
    expect(rejected).to.be.at.most(4);
    const where = { batchId: sent.batchId, status: "pending" as const };
    const waiting = await eventually(async () => {
      const rows = await service.store.read.findBy(WriteBack, where);
      const rejectedRows = rows.filter(({ error }) => error !== null);
      return rejectedRows.length > 0 && rejectedRows;
    });
    for (const { error, attempts, nextAttemptAt } of waiting) {
      expect(error).to.include("accepts no more requests");
      expect(attempts).to.equal(0);
      expect(nextAttemptAt?.getTime()).to.be.above(Date.now());
    }
    fake.limit.allow(slow.id);
  });
});
