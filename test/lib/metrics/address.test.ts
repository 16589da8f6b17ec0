import { once } from "node:events";
import { createServer } from "node:http";
import { expect } from "chai";
import { parseConfig } from "../../../config/index.js";
import { TestService, useService } from "../../support/service.js";
import { suiteFolder } from "../../support/store-folder.js";

describe("the metrics endpoint", () => {
  const metrics = { host: "127.0.0.1", port: 0 };
  const service = useService({ config: { metrics } });

  it("does not exist without a port", () => {
    expect(parseConfig({}).metrics).to.equal(null);
    expect(parseConfig({ PLATEN_METRICS_PORT: "9464" }).metrics).to.deep.equal({
      host: "127.0.0.1",
      port: 9464,
    });
  });

  it("is separate from the API, which has no metrics", async () => {
    const { status } = await fetch(`${service.url}/metrics`);
    expect(status).to.equal(404);
  });

  it("serves only the metrics, in the text format of Prometheus", async () => {
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

describe("a metrics port that is in use", () => {
  const folder = suiteFolder();

  it("stops the start with an error that lists the variables to set", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const bound = other.address();
    const port = typeof bound === "object" ? (bound?.port ?? 0) : 0;
    const metrics = { host: "127.0.0.1", port };
    const service = new TestService(folder, { config: { metrics } });
    const error = await service.start().then(() => "it started", String);
    other.close();
    expect(error).to.contain(`127.0.0.1:${port}: another program uses it`);
    expect(error).to.contain("Set PLATEN_METRICS_HOST or PLATEN_METRICS_PORT");
  });
});
