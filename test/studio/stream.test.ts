import { expect } from "chai";
import { z } from "zod";
import { eventually } from "../support/eventually.js";
import { TestService, useService } from "../support/service.js";
import { anyDatabase, publish } from "../support/store.js";
import { newPerson, type Person, signInAs } from "../support/studio.js";

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

async function expectNext(events: AsyncGenerator, topics: string[]) {
  expect((await events.next()).value).to.eql(topics);
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
    await expectNext(one.events, []);
    const stranger = await newPerson(service);
    const other = await open(stranger, "documents", draft);
    await expectNext(other.events, []);
    const order = { templateId, formats: ["html"], data: {} };
    await one.visitor.send("POST", "/api/export", order);
    await expectNext(one.events, ["documents"]);
    const path = `/studio/api/drafts/${templateId}`;
    const { base, definition } = z
      .object({ base: z.object({ hash: z.string() }), definition: z.any() })
      .parse(await (await one.visitor.get(path)).json());
    await one.visitor.send("PUT", path, {
      definition: { ...definition, fileName: "report" },
      expectedRevision: 0,
      base: base.hash,
    });
    await expectNext(one.events, [draft]);
    // Its own first document is the first that the other organization hears of.
    const own = await publish(service.store, stranger, { name: "Own" });
    await other.visitor.send("POST", "/api/export", {
      ...order,
      templateId: own,
    });
    await expectNext(other.events, ["documents"]);
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

/** Opens the stream of one topic with a session's cookie. */
function openStream(url: string, cookie: string): Promise<Response> {
  const at = `${url}/studio/api/events?watch=documents`;
  return fetch(at, { headers: { cookie } });
}

describe("the streams of a service that is stopped", () => {
  const service = useService();

  it("end completely, and the service ends", async () => {
    const { cookie } = await signInAs(service, await newPerson(service));
    const stream = await openStream(service.url, cookie);
    expect(stream.status).to.equal(200);
    const events = readEvents(stream);
    await expectNext(events, []);
    const end = events.next();
    await service.stop();
    // A connection that is cut off rejects here.
    expect(await end).to.have.property("done", true);
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
      await expectNext(events, []);
      const templateId = await publish(first.store, owner);
      const order = { templateId, formats: ["html"], data: {} };
      await visitor.send("POST", "/api/export", order);
      await expectNext(events, ["documents"]);
      await events.return(null);
    });
  });
});
