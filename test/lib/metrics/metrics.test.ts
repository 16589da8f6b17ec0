import { expect } from "chai";
import { QUEUE } from "../../../core/queue/index.js";
import { newCaller, type TestCaller } from "../../support/caller.js";
import { listWords } from "../../support/rows.js";
import { scrape } from "../../support/scrape.js";
import { useService } from "../../support/service.js";

const request = (route: string, method: string, status: number) =>
  `platen_http_requests_total{method="${method}",route="${route}",status="${status}"}`;

describe("metrics of a service", () => {
  const metrics = { host: "127.0.0.1", port: 0 };
  const service = useService({ config: { metrics } });
  let caller: TestCaller;

  before(async () => {
    caller = await newCaller(service);
    const templateId = await caller.publish();
    const data = { name: "Ada" };
    const ask = (body: object) =>
      caller.post("/api/export", { templateId, data, ...body });
    await ask({ formats: ["pdf", "html"] });
    await ask({ formats: ["html"], data: { constructor: 1 } });
    await caller.get("/nothing/like/this");
    await caller.get(`/api/templates/${templateId}`);
  });

  it("count documents by format and outcome", async () => {
    const seen = await scrape(service.metricsUrl);
    const of = (format: string, outcome: string) =>
      seen.get(`platen_renders_total{format="${format}",outcome="${outcome}"}`);
    expect(of("pdf", "succeeded")).to.equal(1);
    expect(of("html", "succeeded")).to.equal(1);
    expect(of("html", "merge_failed")).to.equal(1);
  });

  it("include a histogram of each phase", async () => {
    const seen = await scrape(service.metricsUrl);
    for (const phase of ["queue", "compile", "merge", "print", "store"]) {
      const name = "platen_render_phase_seconds";
      const labels = `phase="${phase}"`;
      expect(seen.get(`${name}_count{${labels}}`), phase).to.be.at.least(1);
      const all = seen.get(`${name}_bucket{le="+Inf",${labels}}`);
      expect(all, phase).to.equal(seen.get(`${name}_count{${labels}}`));
    }
  });

  it("count requests by route pattern, never by path", async () => {
    const seen = await scrape(service.metricsUrl);
    const requests = [...seen.keys()].filter((name) =>
      name.startsWith("platen_http_requests_total"),
    );
    expect(requests).to.have.members([
      request("/api/export", "POST", 200),
      request("/api/export", "POST", 400),
      request("none", "GET", 404),
      request("/api/templates/:templateId", "GET", 200),
    ]);
  });

  it("include printing, browsers, memory, cache, build and the process", async () => {
    const seen = await scrape(service.metricsUrl);
    for (const name of listWords(`
      platen_print_jobs_total{kind="pdf",outcome="success"} platen_print_queue_depth{lane="short"}
      platen_print_jobs_running{lane="long"} platen_browser_restarts_total{reason="died"} platen_browser_memory_bytes
      platen_service_memory_bytes platen_program_cache_entries process_cpu_seconds_total
      nodejs_eventloop_lag_p99_seconds platen_renderer_ready
    `))
      expect([...seen.keys()]).to.include(name);
    expect(seen.get("platen_browser_memory_bytes")).to.be.above(1_000_000);
    expect(seen.get("platen_program_cache_entries")).to.equal(1);
  });

  it("count the jobs of each kind by state and measure the age of the oldest", async () => {
    const queue = service.container.resolve(QUEUE);
    const past = new Date(Date.now() - 60_000);
    const later = new Date(Date.now() + 3_600_000);
    await service.store.unitOfWork.run((tx) =>
      queue.enqueue(tx, [
        { kind: "of-nobody", rowId: "a", runAt: past },
        { kind: "of-nobody", rowId: "b", runAt: later },
      ]),
    );
    const seen = await scrape(service.metricsUrl);
    const of = (state: string) =>
      seen.get(`platen_queue_jobs{kind="of-nobody",state="${state}"}`);
    expect([of("ready"), of("delayed"), of("running")]).to.eql([1, 1, 0]);
    expect(
      seen.get('platen_queue_oldest_ready_seconds{kind="of-nobody"}'),
    ).to.be.within(59, 120);
  });
});
