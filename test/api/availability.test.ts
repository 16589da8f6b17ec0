import { EventEmitter, once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { createReadinessCheck } from "../../core/app/entry-points.js";
import { Deadline } from "../../core/plugin-api/index.js";
import {
  createRenderer,
  type Renderer,
  RENDERER,
} from "../../core/rendering/index.js";
import { openStore } from "../../core/storage/database/index.js";
import { useApi } from "../support/api.js";
import { refusal, replies } from "../support/caller.js";
import { eventually, until } from "../support/eventually.js";
import { endlessLayout } from "../support/large-documents.js";
import { silentLog } from "../support/recording-log.js";
import {
  lazyRenderer,
  RENDER_CACHE,
  replaceableBrowser,
} from "../support/renderer.js";
import { suiteFolder, withSmallDisk } from "../support/store-folder.js";

/** The API with another renderer. */
function useApiWith(renderer: Renderer) {
  return useApi({
    replace: (container) => {
      container.register(RENDERER, { useValue: renderer });
    },
  });
}

const pdf = { formats: ["pdf"] };

describe("the health of the service", () => {
  const events = new EventEmitter();
  let isUp = true;
  const api = useApiWith({
    ...lazyRenderer,
    health: () =>
      isUp
        ? lazyRenderer.health()
        : { ...lazyRenderer.health(), ready: false, reason: "no browser" },
    pdf: async (job) => {
      const go = once(events, "go");
      events.emit("rendering");
      await go;
      return lazyRenderer.pdf(job);
    },
  });
  const ask = (path: string) => fetch(`${api.service.url}/health/${path}`);

  it("is live, and ready when it can print", async () => {
    expect((await ask("live")).status).to.equal(200);
    expect((await ask("ready")).status).to.equal(200);
  });

  it("is live but not ready without a browser, and names the reason", async () => {
    isUp = false;
    expect((await ask("live")).status).to.equal(200);
    expect(await refusal(ask("ready"))).to.match(/^503 .*no browser/);
    isUp = true;
  });

  it("is not ready without its database", async () => {
    const file = join(suiteFolder(), "test.sqlite");
    const database = { kind: "sqlite", file } as const;
    const store = await openStore({ database, migrate: true, log: silentLog });
    const isReady = createReadinessCheck(store, lazyRenderer);
    await isReady();
    await store.close();
    expect(String(await isReady().catch(String))).to.contain("database");
  });

  it("is not ready while it stops, which completes current requests and rejects new ones with the reason", async () => {
    const rendering = once(events, "rendering");
    const response = api.send(pdf);
    await rendering;
    const { url } = api.service;
    const stopped = api.service.stop();
    expect((await fetch(`${url}/health/live`)).status).to.equal(200);
    expect(await refusal(fetch(`${url}/health/ready`))).to.match(
      /^503 .*shutting down/,
    );
    const late = await api.caller.get("/api/templates");
    expect(late.status).to.equal(503);
    expect(late.headers.get("retry-after")).to.match(/^\d+$/);
    events.emit("go");
    expect(await replies.exported(await response)).to.have.property("pdf");
    await stopped;
    const gone = fetch(`${url}/health/live`).then(() => "answered", String);
    expect(await gone).to.contain("fetch failed");
  });
});

describe("a client that disconnects", () => {
  const hungUp = new AbortController();
  const api = useApiWith({
    ...lazyRenderer,
    pdf: ({ deadline }) =>
      new Promise((_resolve, reject) => {
        deadline.signal.addEventListener("abort", () =>
          reject(deadline.error("printing")),
        );
        hungUp.abort();
      }),
  });

  it("ends the render, which is recorded as failed", async () => {
    const { caller, templateId, service } = api;
    const outcome = await fetch(`${service.url}/api/export`, {
      method: "POST",
      headers: { "x-api-key": caller.key, "content-type": "application/json" },
      body: JSON.stringify({ templateId, ...pdf }),
      signal: hungUp.signal,
    }).catch(String);
    expect(outcome).to.contain("AbortError");
    const document = await eventually(async () => {
      const list = await caller.get("/api/documents");
      return (await replies.documents(list)).data[0];
    });
    expect(document.status).to.equal("failed");
    expect(document.error).to.contain("client closed the connection");
  });
});

describe("a service with a full disk for files", () => {
  const api = useApi();

  it("reports it, keeps no incomplete file, and works again when space is free", async () => {
    const files = join(api.service.dataFolder, "files");
    await withSmallDisk(files, async (disk) => {
      mkdirSync(join(files, ".tmp"));
      disk.fill();
      expect(await api.refused(pdf)).to.match(/^503 .*full/);
      expect(readdirSync(join(files, ".tmp"))).to.deep.equal([]);
      disk.free();
      expect((await api.send(pdf)).status).to.equal(200);
    });
  });
});

describe("a service whose browser is gone", () => {
  const folder = suiteFolder();
  const renderer = createRenderer({
    cacheFolder: RENDER_CACHE,
    executablePath: `${folder}/browser`,
    log: silentLog,
    pages: 1,
  });
  const browser = replaceableBrowser(folder);
  // The service starts after it: hooks run in the order in which they are written.
  before(() => browser);
  const api = useApiWith(renderer);

  it("is not ready, reports it, and is ready again when there is a browser", async () => {
    const ready = () => fetch(`${api.service.url}/health/ready`);
    const answers = async (status: number) => (await ready()).status === status;
    expect((await ready()).status).to.equal(200);
    const program = await browser;
    program.hideExecutable();
    process.kill(renderer.health().browser?.pid ?? 0, "SIGKILL");
    await until("it is not ready", () => answers(503));
    expect(await refusal(ready())).to.include("browser");
    expect(await api.refused(pdf)).to.match(/^503 /);
    expect((await api.send()).status).to.equal(200);
    program.restoreExecutable();
    await until("it is ready", () => answers(200));
    expect((await api.send(pdf)).status).to.equal(200);
  });
});

describe("a service whose queue is full", () => {
  const renderer = createRenderer({
    cacheFolder: RENDER_CACHE,
    log: silentLog,
    pages: 1,
    queueLimit: 1,
  });
  const api = useApiWith(renderer);
  const clients = new AbortController();

  it("answers 429 with Retry-After, and renders again as soon as there is room", async () => {
    const occupied = [1, 2].map(() =>
      renderer
        .pdf({
          html: endlessLayout(),
          owner: api.caller.organizationId,
          deadline: Deadline.after(50_000, clients.signal),
        })
        .catch(() => null),
    );
    await until("the queue is full", () => renderer.health().queued === 1);
    const rejected = await api.send(pdf);
    expect(Number(rejected.headers.get("retry-after"))).to.be.at.least(1);
    expect(await refusal(rejected)).to.match(/^429 .*Try again/);
    clients.abort();
    await Promise.all(occupied);
    expect((await api.send(pdf)).status).to.equal(200);
  });
});
