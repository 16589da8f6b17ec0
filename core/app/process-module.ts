import { READINESS_CHECK, TOOL_SERVER_MOUNT } from "../api/tokens.js";
import {
  type DependencyContainer,
  registerFactory,
  registerValue,
} from "../lib/injection.js";
import {
  CONFIG,
  DRAINING,
  METRICS,
  RENDER_TIMEOUT_MS,
  SECRET,
  SECRETS,
} from "../lib/tokens.js";
import { TOOL_SERVER_TRANSPORT } from "../mcp/tokens.js";
import { noMetrics } from "../plugin-api/index.js";
import { RENDERER } from "../rendering/tokens.js";
import { STORE } from "../storage/database/tokens.js";
import { createReadinessCheck } from "./readiness.js";

/** What belongs to the process rather than to a capability, and tokens of one capability that another implements. */
export function registerProcess(container: DependencyContainer): void {
  registerValue(container, METRICS, noMetrics);
  registerFactory(container, DRAINING, () => new AbortController());
  registerFactory(container, SECRETS, (c): readonly [string, ...string[]] => [
    c.resolve(SECRET),
    ...c.resolve(CONFIG).previousSecrets,
  ]);
  registerFactory(
    container,
    RENDER_TIMEOUT_MS,
    (c) => c.resolve(CONFIG).render.timeoutMs,
  );
  registerFactory(container, READINESS_CHECK, (c) =>
    createReadinessCheck(
      c.resolve(STORE),
      c.resolve(RENDERER),
      c.resolve(DRAINING).signal,
    ),
  );
  container.register(TOOL_SERVER_MOUNT, { useToken: TOOL_SERVER_TRANSPORT });
}
