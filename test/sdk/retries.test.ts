import { type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { expect } from "chai";
import {
  Platen,
  PlatenApiError,
  PlatenConnectionError,
} from "../../sdk/src/index.js";
import { newCaller, type TestCaller } from "../support/caller.js";
import { LoopbackServer, useServer } from "../support/fakes/fake-server.js";
import { useService } from "../support/service.js";

type Fault = (
  response: ServerResponse,
  forward: () => Promise<Response>,
) => Promise<void>;

/** The service answered, and its answer was lost. */
const loseAnswer: Fault = async (response, forward) => {
  await forward();
  response.destroy();
};
const answer =
  (status: number, headers = {}): Fault =>
  async (response) => {
    response.writeHead(status, headers).end(`{"error":"Not now."}`);
  };

/** Stands between the client and the service; each fault is that of one request. */
class FaultProxy extends LoopbackServer {
  faults: Fault[] = [];
  readonly requests: IncomingMessage[] = [];

  constructor(readonly target: () => string) {
    super();
  }

  protected async serve(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    this.requests.push(request);
    const body = await buffer(request);
    const forward = () =>
      fetch(this.target() + request.url, {
        method: request.method ?? "GET",
        headers: Object.entries(request.headers)
          .filter(([name]) => /^(?:x-api-key|content-type|idem)/.test(name))
          .map(([name, value]): [string, string] => [name, String(value)]),
        ...(body.length > 0 && { body }),
      });
    const fault = this.faults.shift();
    if (fault) return fault(response, forward);
    const { status, headers, ...reply } = await forward().then(
      async (answered) => ({
        status: answered.status,
        headers: answered.headers,
        content: Buffer.from(await answered.arrayBuffer()),
      }),
    );
    const type = headers.get("content-type") ?? "application/json";
    response.writeHead(status, { "content-type": type }).end(reply.content);
  }
}

/** What a call throws. */
const failed = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => error,
  );
const create = (baseUrl: string, apiKey: string) => () =>
  new Platen({ baseUrl, apiKey });

describe("requests of the TypeScript client", () => {
  const service = useService();
  const proxy = useServer(new FaultProxy(() => service.url));
  let caller: TestCaller;
  let platen: Platen;
  let templateId: string;

  before(async () => {
    caller = await newCaller(service);
    platen = new Platen({ baseUrl: proxy.url, apiKey: caller.key });
    templateId = await caller.publish();
  });
  beforeEach(() => {
    proxy.faults = [];
    proxy.requests.length = 0;
  });

  const countDocuments = async () =>
    (await platen.documents.list({ templateId, pageSize: 1 })).pagination.total;

  it("make one document when the answer was lost", async () => {
    const count = await countDocuments();
    proxy.faults = [loseAnswer, answer(503)];
    await platen.render(templateId, {}, { formats: ["html"] });
    expect(await countDocuments()).to.equal(count + 1);
    const keys = proxy.requests
      .map(({ headers }) => headers["idempotency-key"])
      .filter((key) => key !== undefined);
    expect(keys).to.have.length(3);
    expect(new Set(keys).size).to.equal(1);
  });

  it("have the caller's own key", async () => {
    const options = { formats: ["html"] as const, idempotencyKey: "order-1" };
    const first = await platen.render(templateId, {}, options);
    const second = await platen.render(templateId, {}, options);
    expect(await first.html.text()).to.equal(await second.html.text());
    expect(proxy.requests.map((one) => one.headers["idempotency-key"])).to.eql([
      "order-1",
      "order-1",
    ]);
  });

  it("wait as long as the service says", async () => {
    proxy.faults = [answer(429, { "retry-after": "1" })];
    const start = performance.now();
    await platen.usage();
    expect(performance.now() - start).to.be.at.least(990);
  });

  it("are not repeated when that could do something twice", async () => {
    proxy.faults = [loseAnswer];
    const { id } = await platen.templates.duplicate(templateId);
    expect(proxy.requests).to.have.length(2);
    proxy.requests.length = 0;
    proxy.faults = [loseAnswer];
    const error = await failed(
      platen.templates.update(id, { createVersion: true }),
    );
    expect(error).to.be.instanceOf(PlatenConnectionError);
    expect(proxy.requests).to.have.length(1);
    proxy.faults = [answer(503)];
    expect(
      await failed(platen.templates.update(id, { createVersion: true })),
    ).to.include({ status: 503, message: "Not now." });
    expect(proxy.requests).to.have.length(2);
  });

  it("are not repeated when the service asks for more than a minute, or retries are off", async () => {
    proxy.faults = [answer(429, { "retry-after": "61" }), answer(503)];
    expect(await failed(platen.usage())).to.include({ retryAfter: 61 });
    const error = await failed(platen.usage({}, { retries: 0 }));
    expect(error).to.be.instanceOf(PlatenApiError);
    expect(proxy.requests).to.have.length(2);
  });

  it("send a stream once, and a function's stream again", async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>`;
    const stream = () => new Blob([svg]).stream();
    proxy.faults = [loseAnswer];
    const error = await failed(
      platen.assets.upload(stream(), { name: "a.svg" }),
    );
    expect(error).to.be.instanceOf(PlatenConnectionError);
    proxy.faults = [loseAnswer];
    await platen.assets.upload(stream, { name: "b.svg" });
    const names: string[] = [];
    for await (const { name } of platen.assets.all()) names.push(name);
    expect(names.toSorted()).to.eql(["a.svg", "b.svg"]);
  });

  it("end with the caller's signal, also between two attempts", async () => {
    const control = new AbortController();
    proxy.faults = [
      async (response, forward) => {
        await answer(429, { "retry-after": "50" })(response, forward);
        setImmediate(() => control.abort(new Error("enough")));
      },
    ];
    const error = await failed(platen.usage({}, { signal: control.signal }));
    expect(error).to.include({ message: "enough" });
    expect(await failed(platen.usage({}, { signal: control.signal }))).to.equal(
      control.signal.reason,
    );
  });

  it("end when the service does not answer in time", async () => {
    proxy.faults = [async () => undefined];
    const error = await failed(platen.usage({}, { timeout: 50, retries: 0 }));
    expect(error).to.be.instanceOf(PlatenConnectionError);
    expect(String(error)).to.include("did not answer within 0.05 s");
  });

  it("carry the key to the service alone", async () => {
    proxy.faults = [answer(302, { location: `${service.url}/api/usage` })];
    expect(await failed(platen.usage())).to.include({ status: 302 });
    const { pdf } = await platen.render(templateId, {});
    proxy.requests.length = 0;
    const url = pdf.url.replace(service.url, proxy.url);
    const output = { label: "pdf", mimeType: "", storageKey: "", sizeBytes: 0 };
    const [file] = platen.files({
      outputs: [{ ...output, checksum: "", url }],
    });
    await file?.bytes();
    expect(proxy.requests.map(({ headers }) => headers["x-api-key"])).to.eql([
      undefined,
    ]);
  });

  it("say what is wrong with the address or the key", async () => {
    expect(create("documents", "k")).to.throw(TypeError, "baseUrl must be");
    expect(create(proxy.url, "")).to.throw(TypeError, "apiKey must be");
    proxy.faults = [
      async (response) => void response.writeHead(404).end("<h1>Not here</h1>"),
    ];
    expect(await failed(platen.usage())).to.include({
      message: `${proxy.url} answered 404: check that baseUrl is the address of a Platen service.`,
    });
    const nobody = new Platen({
      baseUrl: "http://127.0.0.1:1",
      apiKey: "k",
      retries: 0,
    });
    expect(String(await failed(nobody.usage()))).to.include(
      "cannot be reached",
    );
  });
});
