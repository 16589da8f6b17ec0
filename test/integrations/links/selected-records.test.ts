import { expect } from "chai";
import { linkSchema } from "../../../core/integrations/platforms/index.js";
import { acceptedBatchSchema } from "../../../core/api/routes/batches.js";
import { PlatformError } from "../../../core/plugin-api/index.js";
import { reader, readError } from "../../support/caller.js";
import {
  countBatches,
  createLink,
  getFormToken,
  postLink,
  submitForm,
  waitForFinishedPage,
} from "../../support/links.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  type RecordCaller,
  useRecordService,
} from "../../support/records.js";

const readAccepted = reader(acceptedBatchSchema);

const show = async (url: string) => (await fetch(url)).text();

/** Presses the button of a page. @returns the URL of the run's page. */
async function press(url: string, page: string): Promise<string> {
  const response = await submitForm(url, getFormToken(page));
  return new URL(response.headers.get("location") ?? "", url).href;
}

/** Lets the first pages of lists go on when this many have been asked for. */
function waitForAll(total: number): (page: number) => Promise<void> {
  let letAllGo: (() => void) | undefined;
  const all = new Promise<void>((resolve) => {
    letAllGo = resolve;
  });
  let asked = 0;
  return (page) => {
    if (page > 1) return Promise.resolve();
    asked += 1;
    if (asked === total) letAllGo?.();
    return all;
  };
}

describe("a link that selects its records", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform);
  let caller: RecordCaller;
  let prefix = "";
  let count = 0;
  beforeEach(async () => {
    caller = await newRecordCaller(service);
    count += 1;
    prefix = `test${count}-`;
  });
  afterEach(() => {
    platform.beforePage = () => undefined;
  });

  /** Adds orders without a file. @returns their ids. */
  const addOrders = (...names: string[]) => {
    const ids = names.map((name) => `${prefix}${name}`);
    for (const id of ids) addOrder(platform, id, 0);
    return ids;
  };
  /** Gives orders a file. */
  const fillAll = (ids: readonly string[]) => {
    for (const id of ids) platform.put(id, "by hand.pdf");
  };

  it("says how many documents it will create, and creates those of a view", async () => {
    const [a = "", b = "", c = ""] = addOrders("A", "B", "C");
    const view = `${prefix}Due`;
    platform.view("tblOrders", view, [c, a]);
    const { url } = await createLink(caller, { records: { viewId: view } });
    const page = await show(url);
    expect(page).to.contain("Create 2 documents?");
    expect(page).to.contain(`All records in the view “${view}”`);
    const done = await waitForFinishedPage(await press(url, page));
    expect(done).to.contain("Your 2 documents are ready");
    expect(platform.listFiles(a)).to.deep.equal([`Order ${a}.html`]);
    expect(platform.listFiles(b)).to.deep.equal([]);
    fillAll([b]);
  });

  it("creates the documents of records without a file, and then says that there are none", async () => {
    const ids = addOrders("A", "B", "C");
    fillAll(ids.slice(0, 1));
    const records = { emptyAttachment: true };
    const { url } = await createLink(caller, { records });
    const page = await show(url);
    expect(page).to.contain("Create 2 documents?");
    expect(page).to.contain("All records with no file in “Invoice”");
    await waitForFinishedPage(await press(url, page));
    expect(ids.map((id) => platform.listFiles(id))).to.deep.equal([
      ["by hand.pdf"],
      [`Order ${ids[1]}.html`],
      [`Order ${ids[2]}.html`],
    ]);
    const empty = await show(url);
    expect(empty).to.contain("Nothing to create right now");
    expect(empty).to.contain(
      "Every record of “Orders” has a file in “Invoice”, or is getting one now.",
    );
    expect(empty).not.to.contain("<form");
  });

  it("creates documents only of records that were shown and are still selected", async () => {
    const [a = "", b = ""] = addOrders("A", "B");
    const records = { emptyAttachment: true };
    const { url } = await createLink(caller, { records });
    const page = await show(url);
    fillAll([a]);
    const [late = ""] = addOrders("late");
    const done = await waitForFinishedPage(await press(url, page));
    expect(done).to.contain("Your document is ready");
    expect(platform.listFiles(a)).to.deep.equal(["by hand.pdf"]);
    expect(platform.listFiles(b)).to.deep.equal([`Order ${b}.html`]);
    expect(platform.listFiles(late)).to.deep.equal([]);
    fillAll([late]);
  });

  it("creates nothing when none of the shown records is selected any more", async () => {
    const ids = addOrders("A", "B");
    const records = { emptyAttachment: true };
    const { url } = await createLink(caller, { records });
    const page = await show(url);
    fillAll(ids);
    const earlier = await countBatches(caller);
    const answer = await submitForm(url, getFormToken(page));
    expect(answer.status).to.equal(409);
    const text = await answer.text();
    expect(text).to.contain("Nothing to create right now");
    expect(text).to.contain("somebody else has already created");
    expect(await countBatches(caller)).to.equal(earlier);
  });

  it("starts one run of a form that is sent several times at the same moment", async () => {
    const ids = addOrders("A", "B", "C");
    const records = { emptyAttachment: true };
    const { url } = await createLink(caller, { records });
    const page = await show(url);
    platform.beforePage = waitForAll(3);
    const runs = await Promise.all([1, 2, 3].map(() => press(url, page)));
    expect(new Set(runs).size).to.equal(1);
    await waitForFinishedPage(runs[0] ?? "");
    for (const id of ids)
      expect(platform.listFiles(id)).to.deep.equal([`Order ${id}.html`]);
  });

  it("writes one file into each cell when two people press at the same time", async () => {
    const ids = addOrders("A", "B", "C");
    const records = { emptyAttachment: true };
    const { url } = await createLink(caller, { records });
    const pages = [await show(url), await show(url)];
    platform.beforePage = waitForAll(2);
    const answers = await Promise.all(
      pages.map((page) => submitForm(url, getFormToken(page))),
    );
    expect(answers.map(({ status }) => status)).to.have.members([303, 409]);
    const to = answers.find(({ status }) => status === 303);
    await waitForFinishedPage(
      new URL(to?.headers.get("location") ?? "", url).href,
    );
    for (const id of ids)
      expect(platform.listFiles(id)).to.deep.equal([`Order ${id}.html`]);
  });

  it("offers the first 1,000 records of a selection and says that there are more", async () => {
    const view = `${prefix}Many`;
    const ids = Array.from({ length: 1001 }, (_, at) => `many-${at}`);
    for (const id of ids) addOrder(platform, id, 0);
    platform.view("tblOrders", view, ids);
    platform.pageSize = 250;
    const { url } = await createLink(caller, { records: { viewId: view } });
    const page = await show(url);
    platform.pageSize = 2;
    expect(page).to.contain("Create 1,000 documents?");
    expect(page).to.contain(
      "There are more records. This creates the documents of the first 1,000. You can create the others once these are no longer selected.",
    );
    const empty = await createLink(caller, {
      records: { emptyAttachment: true },
    });
    platform.pageSize = 250;
    const other = await show(empty.url);
    platform.pageSize = 2;
    expect(other).to.contain("Open this page again for the others.");
    fillAll(ids);
  });

  it("says that it needs an update when its view is deleted", async () => {
    const view = `${prefix}Gone`;
    platform.view("tblOrders", view, addOrders("A"));
    const { url } = await createLink(caller, { records: { viewId: view } });
    platform.views.delete(view);
    const page = await show(url);
    expect(page).to.contain("Your table has changed");
    expect(page).to.contain("Nothing was created.");
  });

  it("is created without records, and lists what it selects", async () => {
    const view = `${prefix}Nothing`;
    platform.view("tblOrders", view, []);
    const { id, url, records, formulas } = await createLink(caller, {
      records: { viewId: view },
    });
    const expected = { viewId: view, viewName: view };
    expect(records).to.deep.equal(expected);
    expect(formulas).to.deep.equal([]);
    const listed = await caller.get("/api/links");
    const body: unknown = await listed.json();
    expect(body).to.have.nested.property("data[0].id", id);
    expect(
      linkSchema.parse(Reflect.get(Object(body).data, 0)).records,
    ).to.deep.equal(expected);
    expect(await show(url)).to.contain(
      `There are no records in the view “${view}”.`,
    );
    const single = await createLink(caller);
    expect(single.records).to.equal(null);
  });

  it("is refused at once when its view, filter or field does not exist", async () => {
    const refusal = async (records: object, more: object = {}) => {
      const response = await postLink(caller, { records, ...more });
      expect(response.status).to.equal(400);
      return readError(response);
    };
    expect(await refusal({ viewId: "Nowhere" })).to.include(
      'The records cannot be selected. $.records.viewId: The table "Orders" has no view "Nowhere" whose records can be listed.',
    );
    expect(
      await refusal({ emptyAttachment: true }, { attachmentField: undefined }),
    ).to.equal(
      "The records cannot be selected. $.records.emptyAttachment: needs attachmentField, the field that is empty.",
    );
    platform.beforePage = () => {
      throw new PlatformError("invalid_field", "The filter has no field X.");
    };
    expect(await refusal({ filter: "X = 1" })).to.equal(
      "Memory: The filter has no field X.",
    );
    expect(await refusal({ filter: 1, emptyAttachment: true })).to.equal(
      "Invalid request body. $.records: must have exactly one of viewId, filter and emptyAttachment.",
    );
    const listed = await caller.get("/api/links");
    expect(await listed.text()).to.contain('"data":[]');
  });

  it("lets its token create the documents of its selection, and of no other records", async () => {
    const [a = "", b = ""] = addOrders("A", "B");
    const records = { filter: a };
    const { token } = await createLink(caller, { records });
    const send = (body: object) =>
      fetch(`${service.url}/api/export/batch/memory`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ token, ...body }),
      });
    for (const [name, body] of Object.entries({
      recordIds: { recordIds: [b] },
      records: { records: { filter: b } },
    })) {
      const refused = await send(body);
      expect(refused.status).to.equal(400);
      expect(await readError(refused)).to.contain(
        `$.${name}: is set by the link`,
      );
    }
    const { documents } = await readAccepted(await send({}), 202);
    expect(
      documents.map(({ metadata }) => metadata?.["recordId"]),
    ).to.deep.equal([a]);
  });
});
