import { findPrivateNetworks, recordAudit } from "../accounts/index.js";
import { READINESS_CHECK, TOOL_SERVER_MOUNT } from "../api/tokens.js";
import { ASSETS, DRAWINGS } from "../assets/tokens.js";
import { BATCH_RECORDS } from "../batches/tokens.js";
import { RECORD_SOURCE } from "../integrations/platforms/tokens.js";
import { RECORD_AUDIT } from "../integrations/host/tokens.js";
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
import { FIND_ORGANIZATION_NETWORKS } from "../lib/outbound/tokens.js";
import { TOOL_SERVER_TRANSPORT } from "../mcp/tokens.js";
import { noMetrics, PlatenError } from "../plugin-api/index.js";
import type { Renderer } from "../rendering/index.js";
import { RENDERER } from "../rendering/tokens.js";
import { SIGNED_FILES_SINK } from "../signatures/tokens.js";
import type { Store } from "../storage/database/index.js";
import { STORE } from "../storage/database/tokens.js";
import type { CleanupTask } from "../storage/files/index.js";
import { CLEANUP_TASKS } from "../storage/files/tokens.js";
import { INLINE_TEMPLATES } from "../templates/tokens.js";

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
  registerValue(container, RECORD_AUDIT, recordAudit);
  registerFactory(container, FIND_ORGANIZATION_NETWORKS, (c) => {
    const { read } = c.resolve(STORE);
    return (organizationId) => findPrivateNetworks(read, organizationId);
  });
  registerFactory(container, CLEANUP_TASKS, (c): readonly CleanupTask[] => [
    (now) => c.resolve(ASSETS).sweep(now),
    (now) => c.resolve(DRAWINGS).sweep(now),
    async (now) => {
      await c.resolve(INLINE_TEMPLATES).sweep(now);
    },
  ]);
  container.register(TOOL_SERVER_MOUNT, { useToken: TOOL_SERVER_TRANSPORT });
  container.register(BATCH_RECORDS, { useToken: RECORD_SOURCE });
  container.register(SIGNED_FILES_SINK, { useToken: RECORD_SOURCE });
}

/** Rejects with PlatenError `unavailable`, saying what is missing, while the service cannot render. */
export function createReadinessCheck(
  store: Pick<Store, "read">,
  renderer: Pick<Renderer, "health">,
  draining?: AbortSignal,
): () => Promise<void> {
  return async () => {
    if (draining?.aborted) throw unavailable("The service is shutting down.");
    try {
      await store.read.query("SELECT 1");
    } catch (cause) {
      throw unavailable("The database does not answer.", cause);
    }
    const { ready, reason } = renderer.health();
    if (!ready) throw unavailable(`Nothing can be printed. ${reason}`);
  };
}

function unavailable(message: string, cause?: unknown): PlatenError {
  return new PlatenError("unavailable", message, { cause });
}
