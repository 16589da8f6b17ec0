import { expect } from "chai";
import {
  createMetricsListener,
  PrometheusMetrics,
} from "../../../core/lib/metrics.js";
import { useListener } from "../../support/fakes/fake-server.js";
import { recordingLog } from "../../support/recording-log.js";
import { scrape } from "../../support/scrape.js";

describe("a metric that cannot be read", () => {
  const { log, text } = recordingLog();
  const metrics = new PrometheusMetrics(log);
  const listener = createMetricsListener(metrics, log);
  const server = useListener((request, response) => {
    void listener(request, response);
  });

  it("is omitted while the others are reported", async () => {
    const depth = {
      name: "a_depth",
      help: "A depth.",
      labels: ["of"] as const,
    };
    let value = 3;
    metrics.gauge(depth, () => {
      if (value === 0) throw new Error("the database is gone");
      return [{ labels: { of: "x" }, value }];
    });
    metrics.total({ name: "b_total", help: "A total." }, async () => [
      { labels: {}, value: 7 },
    ]);
    const url = `${server.url}/metrics`;
    expect((await scrape(url)).get('a_depth{of="x"}')).to.equal(3);
    value = 0;
    const seen = await scrape(url);
    expect(seen.has('a_depth{of="x"}')).to.equal(false);
    expect(seen.get("b_total")).to.equal(7);
    expect(text()).to.contain("the database is gone");
  });
});
