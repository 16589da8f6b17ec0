import { expect } from "chai";
import {
  PLATFORM_ERROR_CODES,
  PlatformError,
} from "../../../core/plugin-api/index.js";
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
import { useRecorded } from "../../support/recorded.js";
import { recordingLog } from "../../support/recording-log.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  type RecordCaller,
  useRecordService,
} from "../../support/records.js";
import { eachDatabase } from "../../support/store.js";

/** What a page says, without its style, code and markup. */
async function readText(answer: Response): Promise<string[]> {
  const type = answer.headers.get("content-type") ?? "";
  const page = await answer.text();
  const lines = page
    .replaceAll(/<(style|script|svg|head)\b.*?<\/\1>/gs, "")
    .replaceAll(/<[^>]*>/g, "\n")
    .replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("\\n", "")
    .replaceAll(
      /\d+\.? \w+ 20[2-8]\d (?:at|um) [\d:]+|20[2-8]\d-[\d-]+T[\d:.]+Z/g,
      "…",
    )
    .replaceAll(/\d+ kB/g, "… kB")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const [, language = "?"] = /<html lang="(\w+)"/.exec(page) ?? [];
  return [`${answer.status} ${type} ${language}`, ...lines];
}

/** The page of a run, after all has ended. */
const finish = async (run: string, accepted = "en") => {
  await waitForFinishedPage(run);
  return fetch(run, { headers: { "accept-language": accepted } });
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

  it("keeps tokens out of the log", async () => {
    await fetch(`${url}?recordId=A`);
    await fetch(`${url}/state`);
    const written = readLog();
    expect(written).to.contain('"path":"/run/…"');
    for (const part of (url.split("/").at(-1) ?? "").split("."))
      if (part !== "") expect(written).to.not.contain(part);
  });

  const withRecord = (id: string) => fetch(`${url}?recordId=${id}`);
  const fail = (error: PlatformError, what = "") => {
    platform.beforeCall = (name) => {
      if (what === "" || name === what) throw error;
    };
  };
  const ofOtherLink = async (end: string) => {
    const run = await openAndSubmit(url, "A");
    const other = await createLink(caller);
    return fetch(`${other.url}/${run.split("/").at(-1)}${end}`);
  };
  const revoke = async (end: (id: string) => string) => {
    const revoked = await createLink(caller);
    await caller.delete(`/api/links/${revoked.id}`);
    return fetch(revoked.url + end(revoked.id));
  };
  const german = { "accept-language": "de" };
  const situations: Record<string, () => Promise<Response>> = {
    "one record": () => withRecord("A"),
    "three records": () => fetch(`${url}?recordId=A,B&recordId=C`),
    "a record that is gone": () => withRecord("A,gone"),
    "a record without a name": () => {
      platform.row("tblOrders", { id: "F" });
      return withRecord("F");
    },
    "a record whose name is a list": () => {
      const fields = { fldDate: ["Oak table", { name: "Ada" }, 7] };
      platform.row("tblOrders", { id: "E", fields });
      return withRecord("E");
    },
    "a record whose name is markup": () => {
      const fields = { fldDate: "<script>alert(1)</script>" };
      platform.row("tblOrders", { id: "D", fields });
      return withRecord("D");
    },
    "a platform that does not answer": () => {
      fail(new PlatformError("unavailable", "Off."), "fetchRows");
      return withRecord("A");
    },
    "a link that expires": async () => {
      const formats = ["pdf", "html"];
      const expiresAt = "2090-01-31T18:30:00Z";
      const link = await createLink(caller, { expiresAt, formats });
      return fetch(`${link.url}?recordId=A`);
    },
    "two documents": async () => finish(await openAndSubmit(url, "A", "B")),
    "two documents in German": async () =>
      finish(await openAndSubmit(url, "A", "B"), "de"),
    "the state in German": async () => {
      const run = await openAndSubmit(url, "A");
      await waitForFinishedPage(run);
      return fetch(`${run}/state`, { headers: german });
    },
    "a file that could not be saved": async () => {
      fail(new PlatformError("forbidden", "No."), "writeBack");
      return finish(await openAndSubmit(url, "B"));
    },
    "a run of another link": () => ofOtherLink(""),
    "the state of a run of another link": () => ofOtherLink("/state"),
    "the events of a run of another link": () => ofOtherLink("/events"),
    "no record": () => fetch(url),
    "no record in German": () => fetch(url, { headers: german }),
    "too many records": () =>
      withRecord(Array.from({ length: 1001 }, (_, at) => at).join(",")),
    "a record of another table": () => withRecord("A-l0"),
    "a revoked link": () => revoke(() => "?recordId=A"),
    "a run of a revoked link": () => revoke((id) => `/${id}`),
    "an expired link": async () => {
      const expired = await createLink(caller, { expiresAt: soon() });
      return tomorrow(() => fetch(`${expired.url}?recordId=A`));
    },
    "an incomplete link": () => fetch(`${url.slice(0, -9)}?recordId=A`),
    "a paused link": async () => {
      const paused = await createLink(caller);
      await caller.patch(`/api/links/${paused.id}`, { isPaused: true });
      return fetch(`${paused.url}?recordId=A`);
    },
    "a template that was deactivated": async () => {
      const at = `/api/templates/${caller.templateId}`;
      await caller.patch(at, { isActive: false });
      const answer = await withRecord("A");
      await caller.patch(at, { isActive: true });
      return answer;
    },
  };

  useRecorded(new URL("pages.txt", import.meta.url), async (input) => {
    const [, accepted] = /^the language (.*)$/.exec(input) ?? [];
    const [, refusal] = /^a platform's (\w+)$/.exec(input) ?? [];
    const code = PLATFORM_ERROR_CODES.find((one) => one === refusal);
    const situation =
      accepted === undefined
        ? code
          ? () => submitLink(new PlatformError(code, "No."))
          : situations[input]
        : () =>
            fetch(`${url}?recordId=A`, {
              headers: { "accept-language": accepted },
            });
    if (!situation) throw new Error(`Nothing is known of "${input}".`);
    const lines = await readText(await situation());
    platform.beforeCall = () => undefined;
    return lines;
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
