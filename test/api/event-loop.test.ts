import { request } from "node:http";
import { expect } from "chai";
import { describe, it } from "mocha";
import { watchWork } from "../../core/lib/event-loop.js";
import { newCaller, type TestCaller } from "../support/caller.js";
import { eventually } from "../support/eventually.js";
import { recordingLog } from "../support/recording-log.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";

/** Computes without a pause, in the process that the service runs in. */
function compute(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe("what holds the event loop", () => {
  const { log, text } = recordingLog();
  const metrics = { host: "127.0.0.1", port: 0 };
  const service = useService({ log, config: { metrics } });

  function findHoldEntries(): Record<string, unknown>[] {
    return text()
      .split("\n")
      .filter((line) => line.includes('"msg":"the event loop was held"'))
      .map((line) => JSON.parse(line));
  }

  async function newHold(begin: () => unknown) {
    const before = findHoldEntries().length;
    begin();
    await eventually(() => findHoldEntries().length > before);
    return findHoldEntries().slice(before);
  }

  /** A request whose body is not sent whole yet. */
  async function openRequest(caller: TestCaller, templateId: string) {
    const call = request(
      `${service.url}/api/templates/${templateId}/validate`,
      {
        method: "POST",
        headers: {
          "x-api-key": caller.key,
          "content-type": "application/json",
        },
      },
    );
    call.on("error", () => undefined);
    call.write("{");
    await eventually(async () => (await caller.get("/api/templates")).ok);
    return call;
  }

  async function countUnknown(): Promise<number> {
    const scraped = await (await fetch(service.metricsUrl)).text();
    const [, count = "0"] =
      /^platen_event_loop_holds_total\{work="unknown"\} (\d+)$/m.exec(
        scraped,
      ) ?? [];
    return Number(count);
  }

  it("is counted and not logged while no request runs, as at the start of the service", async () => {
    const before = await countUnknown();
    compute(300);
    await eventually(async () => (await countUnknown()) > before);
    expect(findHoldEntries()).to.deep.equal([]);
  });

  it("is logged with the route, organization, key and template of the only request", async () => {
    const caller = await newCaller(service);
    const templateId = await publish(service.store, caller);
    const call = await openRequest(caller, templateId);
    // The requests before it are named as well until the watchdog has seen that they ended.
    const hold = await eventually(async () => {
      const found = await newHold(() => compute(300));
      return found.find(({ route }) => route !== undefined);
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
    call.destroy();
  });

  it("is logged once, with the name of the innermost work", async () => {
    const found = await newHold(() =>
      watchWork("outer", () => watchWork("inner", () => compute(300))),
    );
    expect(found.map(({ work }) => work)).to.eql(["inner"]);
  });

  it("is counted, and the delay of the event loop is measured", async () => {
    await newHold(() => watchWork("counted", () => compute(300)));
    const scraped = await (await fetch(service.metricsUrl)).text();
    expect(scraped).to.match(
      /^platen_event_loop_holds_total\{work="counted"\} 1$/m,
    );
    const [, max = "0"] =
      /^platen_event_loop_delay_seconds\{quantile="1"\} ([\d.]+)$/m.exec(
        scraped,
      ) ?? [];
    expect(Number(max)).to.be.above(0.2);
  });
});
