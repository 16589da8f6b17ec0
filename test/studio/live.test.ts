import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { z } from "zod";
import type { Config } from "../../config/index.js";
import { eventually } from "../support/eventually.js";
import { freePort } from "../support/free-port.js";
import { TestService, useService } from "../support/service.js";
import { startServiceProcess } from "../support/service-process.js";
import { anyDatabase, publish } from "../support/store.js";
import {
  pressButton,
  waitForText,
  useStudio,
  newPerson,
  type Person,
  signInAs,
} from "../support/studio.js";

describe("the studio's list of documents", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("shows what was created elsewhere and why it failed, without a reload", async () => {
    const { page, pageErrors, ...owner } = await signIn();
    await pressButton(page, "Documents");
    await waitForText(page, "No documents yet");
    await page.evaluate("window.isSamePage = true");
    const templateId = await publish(service.store, owner, { name: "Report" });
    const elsewhere = await signInAs(service, owner);
    const order = { templateId, formats: ["html"], data: {}, strict: true };
    await elsewhere.send("POST", "/api/export", order);
    await waitForText(page, "The data has no root.name");
    expect(await page.evaluate("window.isSamePage")).to.equal(true);
    expect(pageErrors).to.deep.equal([]);
  });
});

/** Reads the events of a stream of changes, each when it arrives. */
async function* readEvents(response: Response): AsyncGenerator {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    const events = (text + decoder.decode(chunk)).split("\n\n");
    text = events.pop() ?? "";
    for (const event of events)
      if (event.startsWith("data: ")) yield JSON.parse(event.slice(6));
  }
}

describe("the studio's stream of changes", () => {
  const service = useService();
  const open = async (person: Person, ...topics: string[]) => {
    const visitor = await signInAs(service, person);
    const query = new URLSearchParams(
      topics.map((one): [string, string] => ["watch", one]),
    );
    const response = await visitor.get(
      `/studio/api/events?${query.toString()}`,
    );
    return { visitor, response, events: readEvents(response) };
  };

  it("reports what changed in the organization, and nothing of another one", async () => {
    const owner = await newPerson(service);
    const templateId = await publish(service.store, owner, { name: "Report" });
    const draft = `draft:${templateId}`;
    const one = await open(owner, "documents", "batches", draft);
    expect(one.response.headers.get("content-type")).to.contain(
      "text/event-stream",
    );
    expect(one.response.headers.get("x-accel-buffering")).to.equal("no");
    expect(await one.events.next())
      .to.have.property("value")
      .that.eql([]);
    const stranger = await newPerson(service);
    const other = await open(stranger, "documents", draft);
    expect(await other.events.next())
      .to.have.property("value")
      .that.eql([]);
    const order = { templateId, formats: ["html"], data: {} };
    await one.visitor.send("POST", "/api/export", order);
    expect(await one.events.next())
      .to.have.property("value")
      .that.eql(["documents"]);
    const path = `/studio/api/drafts/${templateId}`;
    const { base, definition } = z
      .object({ base: z.object({ hash: z.string() }), definition: z.any() })
      .parse(await (await one.visitor.get(path)).json());
    await one.visitor.send("PUT", path, {
      definition: { ...definition, fileName: "report" },
      expectedRevision: 0,
      base: base.hash,
    });
    expect(await one.events.next())
      .to.have.property("value")
      .that.eql([draft]);
    // Its own first document is the first that the other organization hears of.
    const own = await publish(service.store, stranger, { name: "Own" });
    await other.visitor.send("POST", "/api/export", {
      ...order,
      templateId: own,
    });
    expect(await other.events.next())
      .to.have.property("value")
      .that.eql(["documents"]);
    await Promise.all([one.events.return(null), other.events.return(null)]);
  });

  it("refuses unknown topics, nobody and too many streams of one person", async () => {
    const owner = await newPerson(service);
    const { response, visitor } = await open(owner, "documents", "keys");
    expect(response.status).to.equal(400);
    expect(await response.json())
      .to.have.property("error")
      .that.contains("`watch`");
    const nobody = await fetch(
      `${service.url}/studio/api/events?watch=documents`,
    );
    expect(nobody.status).to.equal(401);
    const at = "/studio/api/events?watch=documents";
    const streams = await Promise.all(
      Array.from({ length: 20 }, () => visitor.get(at)),
    );
    expect(streams.map(({ status }) => status)).to.eql(
      Array.from({ length: 20 }, () => 200),
    );
    const busy = await visitor.get(at);
    expect(busy.status).to.equal(429);
    await streams[0]?.body?.cancel();
    await eventually(async () => {
      const next = await visitor.get(at);
      return next.status === 200;
    });
    for (const { body } of streams.slice(1)) await body?.cancel();
  });
});

describe("a page of the studio", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("follows the stream instead of asking regularly, and asks while there is none", async () => {
    const { page, pageErrors, ...owner } = await signIn();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const streams = () => asked.filter((url) => url.includes("api/events"));
    const lists = () => asked.filter((url) => url.includes("api/documents"));
    await pressButton(page, "Documents");
    await waitForText(page, "No documents yet");
    await eventually(
      async () => streams().length === 1 && lists().length === 2,
    );
    const templateId = await publish(service.store, owner, { name: "Report" });
    const elsewhere = await signInAs(service, owner);
    const order = { templateId, formats: ["html"], data: {} };
    await elsewhere.send("POST", "/api/export", order);
    await waitForText(page, "Report");
    expect(lists().length).to.be.at.most(4);
    // Without a stream, the page asks by itself.
    await page.setRequestInterception(true);
    page.on("request", (request) => {
      const isStream = request.url().includes("api/events");
      void (isStream ? request.abort() : request.continue());
    });
    await page.evaluate("dispatchEvent(new Event('online'))");
    const named = await publish(service.store, owner, { name: "Letter" });
    await elsewhere.send("POST", "/api/export", {
      ...order,
      templateId: named,
    });
    await waitForText(page, "Letter");
    const others = pageErrors.filter((one) => !one.includes("ERR_FAILED"));
    expect(others).to.eql([]);
  });
});

/** Opens the stream of one topic with a session's cookie. */
function openStream(url: string, cookie: string): Promise<Response> {
  const at = `${url}/studio/api/events?watch=documents`;
  return fetch(at, { headers: { cookie } });
}

describe("the streams of a process that is stopped", () => {
  const service = useService();

  it("end completely, and the process exits", async () => {
    const owner = await newPerson(service);
    const { cookie } = await signInAs(service, owner);
    await service.stop();
    const process = startServiceProcess({
      PLATEN_DATA: service.dataFolder,
      PLATEN_DEMO: "off",
    });
    const stream = await openStream(await process.url, cookie);
    expect(stream.status).to.equal(200);
    const events = readEvents(stream);
    expect(await events.next())
      .to.have.property("value")
      .that.eql([]);
    process.kill("SIGTERM");
    // A connection that the process cuts off rejects here.
    expect(await events.next()).to.have.property("done", true);
    expect(await process.ended).to.have.property("code", 0);
  });
});

describe("a page whose process is replaced by another one", () => {
  const config: Partial<Config> = {};
  before(async () => {
    config.port = await freePort();
  });
  const service = useService({ config });
  const signIn = useStudio(service);

  it("shows what happened meanwhile, and follows the stream of the next process", async () => {
    const { page, ...owner } = await signIn();
    const streams: number[] = [];
    page.on("response", (response) => {
      if (response.url().includes("api/events"))
        streams.push(response.status());
    });
    await pressButton(page, "Documents");
    await waitForText(page, "No documents yet");
    await eventually(async () => streams.length === 1);
    await page.evaluate("window.isSamePage = true");
    await service.stop();
    await service.start();
    const elsewhere = await signInAs(service, owner);
    const create = async (name: string) => {
      const templateId = await publish(service.store, owner, { name });
      const order = { templateId, formats: ["html"], data: {} };
      await elsewhere.send("POST", "/api/export", order);
    };
    await create("Meanwhile");
    await waitForText(page, "Meanwhile");
    await eventually(async () => streams.at(-1) === 200 && streams.length > 1);
    await create("Afterwards");
    await waitForText(page, "Afterwards");
    expect(await page.evaluate("window.isSamePage")).to.equal(true);
  });
});

describe("two processes with one database", () => {
  anyDatabase((_open, database) => {
    const first = useService({ config: { database } });
    const second = new TestService(first.dataFolder, { config: { database } });
    before(() => second.start());
    after(() => second.stop());

    it("each report the changes of the other", async () => {
      const owner = await newPerson(first);
      const visitor = await signInAs(first, owner);
      const stream = await openStream(second.url, visitor.cookie);
      expect(stream.status).to.equal(200);
      const events = readEvents(stream);
      expect(await events.next())
        .to.have.property("value")
        .that.eql([]);
      const templateId = await publish(first.store, owner);
      const order = { templateId, formats: ["html"], data: {} };
      await visitor.send("POST", "/api/export", order);
      expect(await events.next())
        .to.have.property("value")
        .that.eql(["documents"]);
      await events.return(null);
    });
  });
});
