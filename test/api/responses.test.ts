import { request } from "node:http";
import { expect } from "chai";
import { Documents } from "../../core/documents/index.js";
import { watchWork } from "../../core/lib/event-loop.js";
import { PlatenError } from "../../core/plugin-api/index.js";
import { STORE } from "../../core/storage/database/index.js";
import { download, useApi } from "../support/api.js";
import { base64, libraryReplies } from "../support/assets.js";
import { newCaller, refusal, replies } from "../support/caller.js";
import { eventually } from "../support/eventually.js";
import { freePort } from "../support/free-port.js";
import { recordingLog } from "../support/recording-log.js";
import { withRows } from "../support/rows.js";
import { TestService, useService } from "../support/service.js";
import { suiteFolder } from "../support/store-folder.js";
import { postMessage } from "../support/tool-client.js";

describe("every response", () => {
  const service = useService();

  for (const path of ["/api/documents", "/health/live", "/nothing", "/docs"])
    it(`to ${path} has nosniff, a content security policy and no referrer`, async () => {
      const { headers } = await fetch(service.url + path);
      expect(headers.get("x-content-type-options")).to.equal("nosniff");
      expect(headers.get("referrer-policy")).to.equal("no-referrer");
      expect(headers.get("content-security-policy")).to.contain(
        "default-src 'none'",
      );
      expect(headers.get("x-powered-by")).to.equal(null);
      expect(headers.get("strict-transport-security")).to.equal(null);
    });

  const fetchId = async (id?: string) => {
    const headers = id === undefined ? {} : { "x-request-id": id };
    const response = await fetch(`${service.url}/health/live`, { headers });
    return response.headers.get("x-request-id");
  };

  it("has the caller's request id when it is valid, and a generated one otherwise", async () => {
    expect(await fetchId("order-4711:a.b_c")).to.equal("order-4711:a.b_c");
    const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
    const ids = [undefined, "short", "a b c d e f g h", "x".repeat(65)];
    const generated = await Promise.all(ids.map(fetchId));
    for (const id of generated) expect(id).to.match(uuid);
    expect(new Set(generated).size).to.equal(4);
  });
});

describe("a base URL", () => {
  const folder = suiteFolder();
  let service: TestService;
  let origin: string;
  const start = async (createUrl: (port: number) => string) => {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    const config = { port, baseUrl: createUrl(port) };
    service = new TestService(folder, { config });
    await service.start();
    after(() => service.stop());
  };

  it("with https makes every response tell browsers to use https for a year, on this host alone", async () => {
    await start(() => "https://documents.example.com/platen");
    for (const path of ["/api/documents", "/docs", "/studio/", "/mcp", "/x"]) {
      const { headers } = await fetch(origin + path, { redirect: "manual" });
      const policy = headers.get("strict-transport-security");
      expect(policy, path).to.equal("max-age=31536000");
    }
    await service.stop();
  });

  it("with a path is part of links, which work whether or not a proxy strips the path", async () => {
    await start((port) => `http://127.0.0.1:${port}/platen`);
    const caller = await newCaller(service);
    const templateId = await caller.publish();
    const body = { templateId, formats: ["html"] };
    await replies.exported(await caller.post("/api/export", body));
    const list = await replies.documents(await caller.get("/api/documents"));
    const url = list.data[0]?.outputs[0]?.url ?? "";
    expect(url).to.match(/\/platen\/files\/doc_/);
    for (const each of [url, url.replace("/platen/", "/")])
      expect((await fetch(each)).status).to.equal(200);
  });
});

describe("an error that a route does not expect", () => {
  const { log, text } = recordingLog();
  let error: Error = new TypeError("password hunter2 is wrong at 10.0.0.7");
  class FailingDocuments extends Documents {
    override list(): never {
      throw error;
    }
  }
  const api = useApi({
    log,
    replace: (container) =>
      container.register(Documents, {
        useFactory: (c) => new FailingDocuments(c.resolve(STORE)),
      }),
  });

  it("is a 500 with the request id and no details, which the log has", async () => {
    const response = await api.caller.get("/api/documents");
    const id = response.headers.get("x-request-id") ?? "";
    expect(await refusal(response))
      .to.match(/^500 /)
      .and.contain(id)
      .and.not.contain("hunter2");
    const line = text()
      .split("\n")
      .find((one) => one.includes(id) && one.includes("hunter2"));
    expect(line).to.contain('"level":"error"');
  });

  it("has Retry-After as a 429, even when nobody knows how long it will take", async () => {
    error = new PlatenError("busy", "The platform takes no more for now.");
    const response = await api.caller.get("/api/documents");
    expect(response.headers.get("retry-after")).to.equal("10");
    expect(await refusal(response)).to.match(/^429 .*no more for now/);
  });
});

/** Computes without a pause, in the process that the service runs in. */
const compute = (milliseconds = 300) => {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
};

describe("the log", () => {
  const { log, text } = recordingLog();
  const metrics = { host: "127.0.0.1", port: 0 };
  const api = useApi({ log, config: { metrics } });
  let earlier = 0;
  beforeEach(() => {
    earlier = text().length;
  });
  const written = () => text().slice(earlier);
  const findEntries = (message: string): Record<string, unknown>[] =>
    written()
      .split("\n")
      .filter((line) => line.includes(`"msg":"${message}"`))
      .map((line) => JSON.parse(line));
  const findEntry = (message: string) =>
    eventually(() => findEntries(message)[0]);

  const packed = { "content-encoding": "br" };
  const acts: Record<string, () => Promise<Response>> = {
    "an invalid body": () => api.send({ formats: ["Confidential"] }),
    "data that cannot be merged": () =>
      api.send({ data: { prototype: "Confidential" } }),
    "an invalid query": () =>
      api.caller.get("/api/templates?pageSize=Confidential"),
    "a missing resource": () => api.caller.get("/api/templates/Confidential"),
    "a packed message to the tool server": () =>
      postMessage(api.service.url, { "x-api-key": api.caller.key, ...packed }),
  };
  for (const [description, act, answer = ""] of withRows(
    acts,
    `
    an invalid body | 400 invalid_request
    data that cannot be merged | 400 merge_failed
    an invalid query | 400 invalid_request
    a missing resource | 404 not_found
    a packed message to the tool server | 400 invalid_request`,
  ))
    it(`has the error code, organization and key of ${description}`, async () => {
      const [status = "", code] = answer.split(" ");
      expect((await act()).status).to.equal(Number(status));
      const { organizationId, keyId, key } = api.caller;
      const entry = await findEntry("request");
      expect(entry).to.include({ status: Number(status), code });
      expect(entry).to.include({ organizationId, keyId });
      expect(entry).to.include({ level: "info" });
      expect(entry).to.not.have.any.keys("body", "error", "err");
      expect(written()).not.to.contain(key);
    });

  it("has the error code of a missing scope, with organization and key", async () => {
    const reader = await newCaller(api.service, ["templates:read"]);
    await reader.post("/api/folders", { name: "F", kind: "asset" });
    const { organizationId, keyId } = reader;
    expect(await findEntry("request")).to.include({
      status: 400,
      code: "forbidden",
      organizationId,
      keyId,
    });
  });

  it("has the error code alone where nobody is known, and nothing more of a request that succeeds", async () => {
    const headers = { "x-api-key": "wrong" };
    await fetch(`${api.service.url}/api/templates`, { headers });
    const refused = await findEntry("request");
    expect(refused).to.include({ status: 401, code: "unauthorized" });
    earlier = text().length;
    await api.caller.get("/api/templates");
    const entry = await findEntry("request");
    for (const one of [refused, entry])
      expect(one).to.not.have.any.keys("organizationId", "keyId");
    expect(entry).to.not.have.any.keys("code");
  });

  it("has an entry for each request, and no key, signature or data", async () => {
    const { key } = api.caller;
    const { document } = await api.render({ data: { name: "Confidential" } });
    const url = document.outputs[0]?.url ?? "";
    await download(url);
    await fetch(`${api.service.url}/api/documents?apiKey=${key}`);
    const list = await replies.templates(
      await api.caller.get("/api/templates"),
    );
    const thumbnail = list.data[0]?.thumbnailUrl ?? "";
    await fetch(thumbnail, { method: "HEAD" });
    expect(written())
      .to.match(/"method":"POST","path":"\/api\/export","status":200/)
      .and.match(/"path":"\/files\/doc_[^"]*\.html"/);
    for (const secret of [
      key,
      url.split("signature=")[1],
      /([\w-]+)\.png$/.exec(thumbnail)?.[1],
      "Confidential",
    ])
      expect(written()).not.to.contain(secret);
  });

  it("has no upload link, no URL of an asset and none of its bytes", async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
    const base64Data = base64(Buffer.from(svg));
    const upload = { name: "a", base64Data };
    const asset = await libraryReplies.asset(
      await api.caller.post("/api/assets", upload),
      201,
    );
    await fetch(asset.url);
    const { uploadUrl } = await libraryReplies.uploadLink(
      await api.caller.post("/api/assets/upload-link", { name: "b" }),
      201,
    );
    for (const status of [201, 410]) {
      const sent = await fetch(uploadUrl, { method: "PUT", body: svg });
      expect(sent.status).to.equal(status);
    }
    const path = { name: "c", filePath: "/etc/passwd" };
    await api.caller.post("/api/assets", path);
    expect(written())
      .to.match(/"path":"\/uploads\/…","status":410/)
      .and.match(/"path":"\/cdn\/….svg","status":200/)
      .and.not.contain("--upload-file");
    for (const secret of [uploadUrl, asset.url])
      expect(written()).not.to.contain(secret.split("/").at(-1));
    expect(written()).not.to.contain(base64Data);
  });

  it("has no fields with names of secrets", () => {
    log.info({ headers: { "x-api-key": "S1", authorization: "S2" } }, "a");
    log.info({ token: "S3", connection: { password: "S4" } }, "b");
    const err = Object.assign(new Error("query failed"), {
      parameters: ["S5"],
    });
    log.error({ err }, "c");
    expect(written()).not.to.match(/"S[1-5]"/);
    expect(written()).to.contain("query failed");
  });

  const scrape = async () => (await fetch(api.service.metricsUrl)).text();

  const findHold = () => findEntry("the event loop was held");

  const countUnknown = async () =>
    /^platen_event_loop_holds_total\{work="unknown"\} (\d+)$/m.exec(
      await scrape(),
    )?.[1] ?? "0";

  describe("of what holds the event loop", () => {
    it("has nothing while no request runs, as at the start of the service, but it is counted", async () => {
      // The requests of the test before are named until the watchdog has seen that they ended.
      await eventually(async () => {
        earlier = text().length;
        const before = await countUnknown();
        compute();
        await eventually(async () => (await countUnknown()) !== before);
        return findEntries("the event loop was held").length === 0;
      });
    });

    it("has the route, organization, key and template of the only request", async () => {
      const { caller, templateId } = api;
      const path = `/api/templates/${templateId}/validate`;
      const headers = {
        "x-api-key": caller.key,
        "content-type": "application/json",
      };
      const open = request(api.service.url + path, { method: "POST", headers });
      open.on("error", () => undefined);
      // The body is not sent whole.
      open.write("{");
      await eventually(async () => (await caller.get("/api/templates")).ok);
      // The requests before it are named as well until the watchdog has seen that they ended.
      const hold = await eventually(async () => {
        earlier = text().length;
        compute();
        const entry = await findHold();
        return entry["route"] !== undefined && entry;
      });
      expect(hold).to.include({
        level: "warn",
        work: "unknown",
        route: "POST /api/templates/:templateId/validate",
        organizationId: caller.organizationId,
        keyId: caller.keyId,
        templateId,
      });
      expect(hold["heldMs"]).to.be.at.least(200);
      open.destroy();
    });

    it("has it once, with the name of the innermost work, which is counted", async () => {
      watchWork("outer", () => watchWork("inner", compute));
      expect(await findHold()).to.include({ work: "inner" });
      expect(findEntries("the event loop was held")).to.have.length(1);
      const metricsText = await scrape();
      expect(metricsText).to.match(
        /^platen_event_loop_holds_total\{work="inner"\} 1$/m,
      );
      const [, max = "0"] =
        /^platen_event_loop_delay_seconds\{quantile="1"\} ([\d.]+)$/m.exec(
          metricsText,
        ) ?? [];
      expect(Number(max)).to.be.above(0.2);
    });
  });
});
