import type { Metrics } from "../../../plugin-api/index.js";

/** How a call went: `ok`, a refusal by its code, or `fault` of the plugin. */
export interface EndedCall {
  /** The plugin's id. */
  platform: string;
  call: string;
  outcome: string;
  seconds: number;
}

/** Publishes how calls of plugins go. @returns what is to be told of each. */
export function callMetrics(metrics: Metrics): (ended: EndedCall) => void {
  const observe = metrics.durations({
    name: "platen_platform_call_seconds",
    help: "Calls of platforms and e-signature providers with their waits and attempts, by how they ended.",
    labels: ["platform", "call", "outcome"],
    upTo: [0.1, 0.3, 1, 3, 10, 30, 120],
  });
  return ({ seconds, ...labels }) => observe(labels, seconds);
}
