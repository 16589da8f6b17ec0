import type { IncomingMessage, ServerResponse } from "node:http";
import type { Log } from "../../plugin-api/index.js";
import type { PrometheusMetrics } from "./prometheus-metrics.js";

/** Answers `GET /metrics`, and nothing else. It asks for no key: its address is to be reached by the watcher alone. */
export function metricsListener(
  metrics: Pick<PrometheusMetrics, "contentType" | "text">,
  log: Log,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async ({ method, url }, response) => {
    const isRead = method === "GET" || method === "HEAD";
    if (!isRead || url?.split("?")[0] !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    try {
      const text = await metrics.text();
      response.writeHead(200, { "content-type": metrics.contentType });
      response.end(text);
    } catch (error) {
      log.error({ err: error }, "the metrics could not be told");
      response.writeHead(500).end();
    }
  };
}
