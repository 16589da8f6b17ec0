import { expect } from "chai";
import { acceptedBatchSchema } from "../../../core/api/routes/batches.js";
import { WriteBack } from "../../../core/storage/database/index.js";
import {
  addFile,
  addTestBase,
  type AirtableCaller,
  listFiles,
  newAirtableCaller,
  sendBase,
  type TestBase,
} from "../../support/airtable-bases.js";
import { readError, reader } from "../../support/caller.js";
import { useClock } from "../../support/clock.js";
import { eventually } from "../../support/eventually.js";
import { fastClock } from "../../support/fast-clock.js";
import { FakeAirtable } from "../../support/fakes/fake-airtable.js";
import { useServer } from "../../support/fakes/fake-server.js";
import { freePort } from "../../support/free-port.js";
import {
  openAndSubmit,
  readLink,
  waitForFinishedPage,
} from "../../support/links.js";
import {
  downloadHtml,
  runRecords,
  sumDefinition,
  waitForWriteBacks,
} from "../../support/records.js";
import { useService } from "../../support/service.js";

const readAccepted = reader(acceptedBatchSchema);
const outbound = { allowPrivateNetworks: ["127.0.0.0/8"] };

/** A fake for the suite, whose hooks are reset after each test. */
function useAirtable(): () => FakeAirtable {
  const fake = useServer(new FakeAirtable());
  afterEach(() => {
    fake.beforeUpload = () => undefined;
  });
  return () => fake;
}

function createLink(caller: AirtableCaller, base: TestBase) {
  return caller
    .post("/api/links", {
      templateId: caller.templateId,
      platform: "airtable",
      baseId: base.id,
      tableId: "Orders",
      attachmentField: "Documents",
      formats: ["html"],
    })
    .then((response) => readLink(response, 201));
}

const post = (caller: AirtableCaller, base: TestBase, records: object) =>
  caller.post("/api/export/batch/airtable", {
    templateId: caller.templateId,
    connectionId: caller.connectionId,
    baseId: base.id,
    tableId: "Orders",
    formats: ["html"],
    attachmentField: "Documents",
    records,
  });

describe("records of Airtable", () => {
  const service = useService({ config: { outbound } });
  const airtable = useAirtable();
  const newCaller = (definition?: object) =>
    newAirtableCaller(service, airtable(), definition);

  it("receive their documents in their attachment fields with few requests", async () => {
    const fake = airtable();
    const [count, itemCount] = [3, 30];
    const base = fake.addBase("Shop");
    const items = fake.addTable(base, "Items", { Price: "number" });
    const options = { linkedTableId: items.id };
    const table = fake.addTable(base, "Orders", {
      Name: "singleLineText",
      Lines: { type: "multipleRecordLinks", options },
      Documents: "multipleAttachments",
    });
    const recordIds = Array.from({ length: count }, (_, at) => {
      const Lines = Array.from({ length: itemCount }, () =>
        items.add({ Price: 2 }),
      );
      return table.add({ Name: `Order ${at}`, Lines });
    });
    const caller = await newCaller(sumDefinition("Name", "Price"));
    const from = fake.log.length;
    const batch = await runRecords(
      caller,
      recordIds,
      { baseId: base.id, tableId: "Orders", attachmentField: "Documents" },
      "airtable",
    );
    expect(batch.writeBack).to.include({ succeeded: count, failed: 0 });
    for (const html of await downloadHtml(batch))
      expect(html).to.contain(`: ${2 * itemCount}`);
    // The schema, the look for the records, the records, their items, and a file for each; one that came too early is
    // asked again.
    expect(fake.log.length - from).to.be.within(4 + count, 6 + count);
    expect(fake.files.bytes.size).to.equal(count);
  });

  it("have a link with a formula, whose page writes the document into the record's cell", async () => {
    const caller = await newCaller();
    const base = addTestBase(airtable(), "Linked", 1);
    const [id = ""] = base.recordIds;
    const { url, formulas } = await createLink(caller, base);
    expect(formulas.map(({ formula }) => formula)).to.deep.equal([
      `"${url}?recordId=" & RECORD_ID()`,
    ]);
    const question = await fetch(`${url}?recordId=${id}`);
    expect(await question.text()).to.contain("<li>Linked 0</li>");
    const page = await waitForFinishedPage(await openAndSubmit(url, id));
    expect(page).to.contain("saved in the field “Documents”");
    expect(listFiles(base)).to.deep.equal([["Linked 0.html"]]);
  });

  it("are all those of a view, in its order, by the name of the view", async () => {
    const caller = await newCaller();
    const base = addTestBase(airtable(), "Large", 230);
    base.table.addView("By name", "", "Name");
    const { totalCount, documents } = await readAccepted(
      await post(caller, base, { viewId: "By name" }),
      202,
    );
    const { id } = base.table.field("Name");
    const names = documents.map(({ metadata }) =>
      base.table.record(String(metadata?.["recordId"])).cells.get(id),
    );
    expect(totalCount).to.equal(230);
    expect(names).to.deep.equal(
      names.toSorted((one, other) => String(one).localeCompare(String(other))),
    );
  });

  it("are those with an empty field until it is filled", async () => {
    const caller = await newCaller();
    const base = addTestBase(airtable(), "Empty", 3);
    const records = { emptyAttachment: true };
    const accepted = await readAccepted(await post(caller, base, records), 202);
    await waitForWriteBacks(caller, accepted.batchId);
    expect(listFiles(base)).to.deep.equal([
      ["Empty 0.html"],
      ["Empty 1.html"],
      ["Empty 2.html"],
    ]);
    expect((await post(caller, base, records)).status).to.equal(409);
  });

  it("are those that match a formula or conditions, and a wrong one is a 400", async () => {
    const caller = await newCaller();
    const base = addTestBase(airtable(), "Formula", 3);
    const send = (filter: unknown) => post(caller, base, { filter });
    for (const filter of ["{Name} = 'Formula 1'", { Name: "Formula 1" }]) {
      const { documents } = await readAccepted(await send(filter), 202);
      expect(
        documents.map(({ metadata }) => metadata?.["recordId"]),
      ).to.deep.equal([base.recordIds[1]]);
    }
    const wrong = await send("{Name");
    expect(wrong.status).to.equal(400);
    expect(await readError(wrong)).to.contain(
      "The formula for filtering records is invalid",
    );
    expect(await readError(await send({ Nam: "x" }))).to.contain(
      'Did you mean "Name"?',
    );
    expect(await readError(await send(" "))).to.contain("must be a formula");
  });
});

const createFiles = (count: number) =>
  Array.from({ length: count }, (_, at) => [`Quick ${at}.html`]);

/** A penalty, which takes half a minute, lasts longer than a test. */
const pause = (ms: number) => (ms < 30_000 ? fastClock.pause(ms) : ms);

describe("write-backs to a base", () => {
  useClock({ pause });
  const service = useService({ config: { outbound } });
  const airtable = useAirtable();
  let fake: FakeAirtable;
  let resolveAll: (() => void) | undefined;
  const release = () => resolveAll?.();
  before(() => {
    fake = airtable();
  });
  afterEach(release);

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
    const { url } = await createLink(caller, base);
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
    const startedAt = Date.now();
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
      expect(nextAttemptAt?.getTime()).to.be.above(startedAt);
    }
    fake.limit.allow(slow.id);
  });
});

const baseUrl = "https://platen.example.com";
const port = await freePort();
const replaced = { overwriteExisting: true };

const listExpected = (name: string, { recordIds }: TestBase, more = "") =>
  recordIds.map((_, at) => [
    ...(more === "" ? [] : [more]),
    `${name} ${at}.html`,
  ]);

describe("a batch of Airtable records, with a public address", () => {
  const service = useService({ config: { outbound, baseUrl, port } });
  const airtable = useAirtable();
  let fake: FakeAirtable;
  before(() => {
    fake = airtable();
  });
  const reach = (url: string) =>
    url.replace(baseUrl, `http://127.0.0.1:${port}`);

  /** @returns how many requests it took. */
  async function write(
    caller: AirtableCaller,
    base: TestBase,
    more: { overwriteExisting?: boolean } = {},
  ): Promise<number> {
    const from = fake.log.length;
    const { batchId } = await sendBase(caller, base, more);
    const { writeBack } = await waitForWriteBacks(caller, batchId);
    const succeeded = base.recordIds.length;
    expect(writeBack).to.include({ succeeded, failed: 0 });
    const lines = fake.log.slice(from);
    return lines.filter((line) => !line.includes("meta")).length;
  }

  it("replaces their files with far fewer requests than records, and no cell is empty at any time", async () => {
    const caller = await newAirtableCaller(service, fake);
    const base = addTestBase(fake, "Shop", 30);
    for (const id of base.recordIds) addFile(fake, base, id, "old.pdf");
    const atFetch: number[] = [];
    fake.files.toReachable = (url) => {
      const held = listFiles(base).map(
        (names) => names.filter((name) => name !== "").length,
      );
      atFetch.push(Math.min(...held));
      return reach(url);
    };
    expect(await write(caller, base, replaced)).to.be.below(30);
    expect(listFiles(base)).to.deep.equal(listExpected("Shop", base));
    expect(Math.min(...atFetch)).to.equal(1);
  });

  it("uploads the files if Airtable cannot fetch from the address, each once", async () => {
    fake.files.toReachable = () => "http://127.0.0.1:1/";
    const caller = await newAirtableCaller(service, fake);
    const base = addTestBase(fake, "Hidden", 12);
    for (const id of base.recordIds) addFile(fake, base, id, "old.pdf");
    await write(caller, base, replaced);
    expect(listFiles(base)).to.deep.equal(listExpected("Hidden", base));
  });

  it("keeps what a person adds to the cells just before each request that writes", async () => {
    fake.files.toReachable = reach;
    const caller = await newAirtableCaller(service, fake);
    const base = addTestBase(fake, "Added", 30);
    const added = new Set<string>();
    fake.beforeUpload = (_base, recordId) => {
      if (added.has(recordId)) return;
      added.add(recordId);
      addFile(fake, base, recordId, "scan.pdf");
    };
    await write(caller, base);
    expect(listFiles(base)).to.deep.equal(
      listExpected("Added", base, "scan.pdf"),
    );
  });
});
