import { expect } from "chai";
import { afterEach, before, describe, it } from "mocha";
import { PlatformError } from "../../../core/plugin-api/index.js";
import {
  countBatches,
  getFormToken,
  createLink,
  waitForFinishedPage,
  submitForm,
  openAndSubmit,
} from "../../support/links.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  type RecordCaller,
  useRecordService,
} from "../../support/records.js";

describe("the page of a link", () => {
  const platform = ordersPlatform();
  const [orders] = platform.tables;
  if (orders) orders.primaryFieldId = "fldDate";
  const service = useRecordService(platform);
  let caller: RecordCaller;
  let url = "";
  before(async () => {
    caller = await newRecordCaller(service);
    ({ url } = await createLink(caller));
    for (const id of ["A", "B", "C"]) addOrder(platform, id);
  });
  afterEach(() => {
    platform.beforeCall = () => undefined;
  });

  const read = async (query: string) => (await fetch(url + query)).text();

  it("shows what will be generated and generates nothing", async () => {
    const earlier = await countBatches(service);
    const page = await read("?recordId=A,B&recordId=C");
    for (const text of [
      "Create 3 documents?",
      "Letter",
      "2026-11-21",
      "A web page for each record",
      "The field “Invoice” of “Orders”",
      `/thumbnails/${caller.templateId}/`,
    ])
      expect(page).to.contain(text);
    expect(await countBatches(service)).to.equal(earlier);
  });

  it("says until when it works, if it expires", async () => {
    const expiresAt = "2090-01-31T18:30:00Z";
    const expiring = await createLink(caller, { expiresAt });
    const page = await fetch(`${expiring.url}?recordId=A`);
    expect(await page.text())
      .to.contain("Works until")
      .and.to.contain("31 January 2090 at 18:30 (UTC)");
    expect(await read("?recordId=A")).to.not.contain("Works until");
  });

  it("generates the documents on a click and saves them in the records", async () => {
    const run = await openAndSubmit(url, "A", "B");
    const page = await waitForFinishedPage(run);
    expect(page).to.contain("Your 2 documents are ready");
    expect(page).to.contain("saved in the field “Invoice”");
    expect(platform.listFiles("A")).to.deep.equal(["Order A.html"]);
    expect(platform.listFiles("B")).to.deep.equal(["Order B.html"]);
    const [, file = ""] = /<a href="([^"]+)"/.exec(page) ?? [];
    const html = await (await fetch(file.replaceAll("&amp;", "&"))).text();
    expect(html).to.contain("Order A for");
  });

  it("rejects a submission from another site or without its form", async () => {
    const earlier = await countBatches(service);
    const form = getFormToken(await read("?recordId=A"));
    const other = await createLink(caller);
    const answers = await Promise.all([
      fetch(url, {
        method: "POST",
        headers: { "sec-fetch-site": "cross-site" },
        body: new URLSearchParams({ form }),
      }),
      submitForm(url, ""),
      submitForm(url, "made up"),
      submitForm(other.url, form),
    ]);
    expect(answers.map(({ status }) => status)).to.deep.equal(
      answers.map(() => 409),
    );
    expect(await countBatches(service)).to.equal(earlier);
  });

  it("omits records that no longer exist and says so", async () => {
    const page = await read("?recordId=A,gone");
    expect(page).to.contain("Create this document?");
    expect(page).to.contain("One record is no longer in the table “Orders”");
  });

  it("shows the names of records, or their ids if the platform does not answer", async () => {
    platform.beforeCall = (what) => {
      if (what === "fetchRows") throw new PlatformError("unavailable", "Off.");
    };
    expect(await read("?recordId=A")).to.contain("<li>A</li>");
  });

  it("offers a file that could not be saved and saves it on a retry", async () => {
    platform.beforeCall = (what) => {
      if (what === "writeBack") throw new PlatformError("forbidden", "No.");
    };
    const run = await openAndSubmit(url, "C");
    const page = await waitForFinishedPage(run);
    expect(page).to.contain("couldn&#39;t be saved to your table");
    expect(page).to.contain("Order-C.html");
    expect(page).to.contain("Your document is created, but not saved");
    expect(page).to.not.contain("is ready").and.not.contain("mark--good");
    platform.beforeCall = () => undefined;
    await fetch(`${run}/save-again`, { method: "POST" });
    expect(await waitForFinishedPage(run)).to.contain(
      "saved in the field “Invoice”",
    );
    expect(platform.listFiles("C")).to.deep.equal(["Order C.html"]);
  });

  it("names a record by its primary field, whatever that contains", async () => {
    const fields = { fldDate: ["Oak table", { name: "Ada" }, 7] };
    platform.row("tblOrders", { id: "E", fields });
    const page = await read("?recordId=E");
    expect(page).to.contain("<li>Oak table, Ada, 7</li>");
  });

  it("escapes the texts of records", async () => {
    const fields = { fldDate: "<script>alert(1)</script>" };
    platform.row("tblOrders", { id: "D", fields });
    const page = await read("?recordId=D");
    expect(page).to.contain("&lt;script&gt;").and.not.contain("<script>alert");
  });

  it("treats runs of other links as missing", async () => {
    const run = await openAndSubmit(url, "A");
    const other = await createLink(caller);
    const id = run.split("/").at(-1) ?? "";
    for (const end of ["", "/state", "/events"]) {
      const response = await fetch(`${other.url}/${id}${end}`);
      expect(response.status, end).to.equal(404);
      await response.text();
    }
  });
});
