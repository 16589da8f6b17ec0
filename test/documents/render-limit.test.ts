import { expect } from "chai";
import { parseConfig } from "../../config/index.js";
import { RENDER_DOCUMENT } from "../../core/documents/index.js";
import { Deadline, formatError } from "../../core/plugin-api/index.js";
import { useClock } from "../support/clock.js";
import { until } from "../support/eventually.js";
import { refusal, newCaller, type TestCaller } from "../support/caller.js";
import { fastClock } from "../support/fast-clock.js";
import { useListener } from "../support/fakes/fake-server.js";
import { useService } from "../support/service.js";
import { getRejection } from "../support/store.js";

const definition = {
  schema: [{ id: "root", fields: [] }],
  components: [{ type: "image", src: "{{ root.src }}", alt: "Logo" }],
};

/** A server that answers no request until `release`, so that the documents which fetch from it last as long. */
function useSlowServer() {
  const waiting: (() => void)[] = [];
  let isReleased = false;
  const server = useListener((_request, response) => {
    state.requestCount += 1;
    const answer = () => void response.writeHead(404).end();
    if (isReleased) answer();
    else waiting.push(answer);
  });
  const state = {
    get url() {
      return server.url;
    },
    requestCount: 0,
    release: () => {
      isReleased = true;
      for (const answer of waiting.splice(0)) answer();
    },
  };
  return state;
}

describe("the documents that an organization renders at once", () => {
  const { render, assets, outbound } = parseConfig({
    PLATEN_ORGANIZATION_RENDERS: "2",
    PLATEN_ASSET_TIMEOUT: "30",
    PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.0/8",
  });
  /** Of the wait for a turn; the document's own limits stay. */
  let turnMs = 50;
  useClock({
    ...fastClock,
    limit(milliseconds, callback) {
      const isTurn = milliseconds === 10_000;
      const timeout = setTimeout(callback, isTurn ? turnMs : milliseconds);
      const timer = { cancel: () => clearTimeout(timeout), unref: () => timer };
      return timer;
    },
  });
  const service = useService({ config: { render, assets, outbound } });
  const server = useSlowServer();
  let count = 0;
  const exportOne = async (caller: TestCaller, templateId: string) => {
    count += 1;
    const data = { src: `${server.url}/${count}.png` };
    return caller.post("/api/export", { templateId, formats: ["html"], data });
  };

  it("are limited: a further one waits, then gets a 429, while other organizations go on", async () => {
    const caller = await newCaller(service);
    const templateId = await caller.publish({ definition });
    const other = await newCaller(service);
    const theirs = await other.publish({});
    const occupied = [1, 2].map(() => exportOne(caller, templateId));
    await until("two are rendered", () => server.requestCount === 2);
    const third = exportOne(caller, templateId);
    const elsewhere = await other.post("/api/export", {
      templateId: theirs,
      formats: ["html"],
    });
    expect(elsewhere.status).to.equal(200);
    const rejected = await third;
    expect(rejected.headers.get("retry-after")).to.match(/^[1-9]\d?$/);
    expect(await refusal(rejected)).to.equal(
      "429 This organization already renders 2 documents at once. Send fewer at a time, or send a batch.",
    );
    expect(server.requestCount).to.equal(2);
    turnMs = 10_000;
    const { organizationId, userId: createdById } = caller;
    const stopped = AbortSignal.abort();
    const late = service.container.resolve(RENDER_DOCUMENT)(
      { organizationId, createdById, templateId, formats: ["html"] },
      { deadline: Deadline.after(60_000, stopped), onRecorded: () => {} },
    );
    expect(formatError(await getRejection(late))).to.equal(
      "The time limit for this document passed while it waited for other documents of its organization. Make the document smaller, or raise PLATEN_RENDER_TIMEOUT.",
    );
    const fourth = exportOne(caller, templateId);
    server.release();
    for (const one of [...occupied, fourth])
      expect((await one).status).to.equal(200);
    const last = await exportOne(caller, templateId);
    expect(last.status).to.equal(200);
  });
});
