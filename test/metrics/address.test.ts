import { expect } from "chai";
import { describe, it } from "mocha";
import { parseConfig } from "../../config/index.js";
import { useService } from "../support/service.js";

describe("the address of the metrics", () => {
  const metrics = { host: "127.0.0.1", port: 0 };
  const service = useService({ config: { metrics } });

  it("is none without a port", () => {
    expect(parseConfig({}).metrics).to.equal(null);
    expect(parseConfig({ PLATEN_METRICS_PORT: "9464" }).metrics).to.deep.equal({
      host: "127.0.0.1",
      port: 9464,
    });
  });

  it("is another than the service's, which does not tell them", async () => {
    const { status } = await fetch(`${service.url}/metrics`);
    expect(status).to.equal(404);
  });

  it("has nothing but the metrics, in the text format of Prometheus", async () => {
    const response = await fetch(service.metricsUrl);
    expect(response.headers.get("content-type")).to.match(
      /^text\/plain; version=0\.0\.4/,
    );
    for (const path of ["/", "/metrics/x", "/api/templates"]) {
      const { status } = await fetch(new URL(path, service.metricsUrl));
      expect(status, path).to.equal(404);
    }
    const { status } = await fetch(service.metricsUrl, { method: "POST" });
    expect(status).to.equal(404);
  });
});
