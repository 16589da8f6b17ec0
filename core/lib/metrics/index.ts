// Numbers for whoever watches the service, in the text format of Prometheus. Rooms tell theirs through the port
// `Metrics` of the contract; only this room knows the library.
export { metricsListener } from "./metrics-listener.js";
export { PrometheusMetrics } from "./prometheus-metrics.js";
