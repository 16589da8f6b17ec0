import { expect } from "chai";
import { after, afterEach, before, describe, it } from "mocha";
import { PlatformError } from "../../../core/plugin-api/index.js";
import { installClock } from "../../support/clock.js";
import {
  countBatches,
  createLink,
  getFormToken,
  openAndSubmit,
  soon,
  submitForm,
  tomorrow,
  waitForFinishedPage,
} from "../../support/links.js";
import { recordingLog } from "../../support/recording-log.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  type RecordCaller,
  useRecordService,
} from "../../support/records.js";
import { eachDatabase } from "../../support/store.js";

/** A page in words: no JSON, no code, no stack. */
async function readWords(answer: Response): Promise<string> {
  expect(answer.headers.get("content-type")).to.contain("text/html");
  const page = await answer.text();
  expect(page)
    .to.contain("<h1")
    .and.not.match(/"error"|\n\s+at |node:/);
  const [shown = ""] = page.split("<details>");
  expect(shown).to.not.match(/\$\.|HTTP|JSON|API/);
  return shown;
}

const readIn = async (at: string, accepted: string) => {
  const headers = { "accept-language": accepted };
  return (await fetch(at, { headers })).text();
};

describe("the page of a link", () => {
  const { log, text: readLog } = recordingLog();
  const platform = ordersPlatform();
  const [orders] = platform.tables;
  if (orders) orders.primaryFieldId = "fldDate";
  const service = useRecordService(platform, { log });
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

  /** The answer to the button, when the platform fails from then on. */
  async function submitLink(fault: PlatformError): Promise<Response> {
    const form = getFormToken(await read("?recordId=A"));
    platform.beforeCall = () => {
      throw fault;
    };
    return submitForm(url, form);
  }

  it("shows what will be generated and generates nothing", async () => {
    const earlier = await countBatches(caller);
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
    expect(await countBatches(caller)).to.equal(earlier);
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
    const earlier = await countBatches(caller);
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
    expect(await countBatches(caller)).to.equal(earlier);
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

  describe("that reports an error", () => {
    it("says that no record was chosen", async () => {
      const response = await fetch(url);
      expect(response.status).to.equal(400);
      expect(await readWords(response)).to.contain("No record selected");
    });

    it("says that there are too many records", async () => {
      const ids = Array.from({ length: 1001 }, (_, at) => at).join(",");
      const words = await readWords(await fetch(`${url}?recordId=${ids}`));
      expect(words).to.contain("Too many records");
    });

    it("says that the record belongs to another table or was deleted", async () => {
      const words = await readWords(await fetch(`${url}?recordId=A-l0`));
      expect(words).to.contain("belongs to another table");
    });

    it("says that the link was revoked, also on the page of a run", async () => {
      const revoked = await createLink(caller);
      await caller.delete(`/api/links/${revoked.id}`);
      for (const end of ["?recordId=A", `/${revoked.id}`]) {
        const response = await fetch(revoked.url + end);
        expect(response.status).to.equal(401);
        expect(await readWords(response))
          .to.contain("It was revoked by its owner.")
          .and.to.contain("Ask the person who set this up for you.");
      }
    });

    it("says that the link has expired", async () => {
      const expired = await createLink(caller, { expiresAt: soon() });
      const response = await tomorrow(() => fetch(`${expired.url}?recordId=A`));
      expect(response.status).to.equal(401);
      expect(await readWords(response))
        .to.contain("This link has expired")
        .and.to.contain("Ask the person who set this up for you.");
    });

    it("says that the link is incomplete", async () => {
      const words = await readWords(
        await fetch(`${url.slice(0, -9)}?recordId=A`),
      );
      expect(words).to.contain("incomplete");
    });

    it("says that the template was deactivated", async () => {
      await caller.patch(`/api/templates/${caller.templateId}`, {
        isActive: false,
      });
      const words = await readWords(await fetch(`${url}?recordId=A`));
      expect(words).to.contain("has changed since the link was created");
      await caller.patch(`/api/templates/${caller.templateId}`, {
        isActive: true,
      });
    });

    for (const [code, message] of [
      ["auth", "can&#39;t access your table"],
      ["not_found", "renamed or deleted"],
      ["unsupported", "renamed or deleted"],
    ] as const)
      it(`explains a platform's ${code}`, async () => {
        const words = await readWords(
          await submitLink(new PlatformError(code, "No.")),
        );
        expect(words).to.contain(message).and.to.contain("Nothing was created");
      });

    it("keeps tokens out of the log", async () => {
      await fetch(`${url}?recordId=A`);
      await fetch(`${url}/state`);
      const written = readLog();
      expect(written).to.contain('"path":"/run/…"');
      for (const part of (url.split("/").at(-1) ?? "").split("."))
        if (part !== "") expect(written).to.not.contain(part);
    });
  });

  describe("in the reader's language", () => {
    let address = "";
    before(async () => {
      const formats = ["pdf", "html"];
      const expiresAt = "2099-03-01T12:00:00Z";
      ({ url: address } = await createLink(caller, { expiresAt, formats }));
    });
    for (const [accepted, language, question] of [
      ["de-AT,de;q=0.9,en;q=0.8", "de", "Dieses Dokument erstellen?"],
      ["nl,de;q=0.5,en;q=0.3", "de", "Dieses Dokument erstellen?"],
      ["en-US,en;q=0.9,de;q=0.8", "en", "Create this document?"],
      ["ja", "en", "Create this document?"],
      ["*", "en", "Create this document?"],
      ["not a header;;", "en", "Create this document?"],
    ] as const)
      it(`is one that the reader accepts: ${accepted}`, async () => {
        expect(await readIn(`${address}?recordId=A`, accepted))
          .to.contain(`<html lang="${language}">`)
          .and.contain(question);
      });

    it("decides about dates and lists", async () => {
      expect(await readIn(`${address}?recordId=A`, "de"))
        .to.contain("1. März 2099 um 12:00 (UTC)")
        .and.contain("Ein PDF und eine Webseite");
      expect(await readIn(`${address}?recordId=A`, "en"))
        .to.contain("1 March 2099 at 12:00 (UTC)")
        .and.contain("A PDF and a web page");
    });

    it("is that of the progress, its updates and errors", async () => {
      const run = await openAndSubmit(address, "A");
      await waitForFinishedPage(run);
      expect(await readIn(run, "de")).to.contain("Ihr Dokument ist fertig");
      expect(await readIn(`${run}/state`, "de")).to.contain(
        "Ihr Dokument ist fertig",
      );
      expect(await readIn(address, "de")).to.contain(
        "Kein Datensatz ausgewählt",
      );
    });
  });
});

describe("the pages of links of an organization with a rate limit", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform, {
    config: { rateLimits: { premium: 3 } },
  });
  let now = Date.now();
  let restore: (() => void) | undefined;
  before(() => {
    restore = installClock({ now: () => now });
  });
  after(() => restore?.());

  it("count toward it and say when it is reached, until the minute is over", async () => {
    addOrder(platform, "A");
    const { url } = await createLink(await newRecordCaller(service));
    const ask = () => fetch(`${url}?recordId=A`);
    expect([(await ask()).status, (await ask()).status]).to.eql([200, 200]);
    const response = await ask();
    expect(response.status).to.equal(429);
    expect(Number(response.headers.get("retry-after"))).to.be.within(1, 60);
    expect(await response.text()).to.contain("Too many requests right now");
    now += 60_000;
    expect((await ask()).status).to.equal(200);
  });
});

describe("the progress of a run", () => {
  const platform = ordersPlatform();
  // Nobody works on batches, so that it goes on until the service ends.
  const service = useRecordService(platform, { role: "serve" });

  it("is sent as events that end when the service stops", async () => {
    addOrder(platform, "A");
    const { url } = await createLink(await newRecordCaller(service));
    const response = await fetch(`${await openAndSubmit(url, "A")}/events`);
    expect(response.headers.get("content-type")).to.contain(
      "text/event-stream",
    );
    const parts = response.body?.pipeThrough(new TextDecoderStream());
    const reader = parts?.getReader();
    let received = "";
    while (!received.includes("\n\ndata: "))
      received += (await reader?.read())?.value ?? "";
    expect(received).to.contain("Creating your document…");
    const stopped = service.stop();
    // One that is cut off rejects.
    while (!(await reader?.read())?.done);
    await stopped;
  });
});

eachDatabase((_open, database) => {
  describe("a form of a link that is submitted several times", () => {
    const platform = ordersPlatform();
    const service = useRecordService(platform, { config: { database } });

    it("creates one batch of one document and redirects to one page", async () => {
      addOrder(platform, "A");
      const caller = await newRecordCaller(service);
      const { url } = await createLink(caller);
      const page = await (await fetch(`${url}?recordId=A`)).text();
      const form = getFormToken(page);
      const presses = [1, 2, 3, 4].map(() => submitForm(url, form));
      const answers = [
        ...(await Promise.all(presses)),
        await submitForm(url, form),
      ];
      const places = answers.map(({ headers }) => headers.get("location"));
      expect(new Set(places).size).to.equal(1);
      expect(places[0]).to.contain("/run/");
      expect(await countBatches(caller)).to.equal(1);
      const documents: unknown = await (
        await caller.get("/api/documents?page=1")
      ).json();
      expect(documents).to.have.nested.property("pagination.total", 1);
    });
  });
});
