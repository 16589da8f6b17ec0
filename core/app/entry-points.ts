// The entry points for others: the REST API with the studio and the tool server, on the composition of all
// capabilities.
import { CHANGES, READINESS_CHECK, TOOL_SERVER_MOUNT } from "../api/index.js";
import { provide } from "../lib/injection.js";
import { DRAINING } from "../lib/process-values.js";
import { HttpTransport } from "../mcp/index.js";
import { PlatenError } from "../plugin-api/index.js";
import { type Renderer, RENDERER } from "../rendering/index.js";
import { STORE, type Store } from "../storage/database/index.js";
import { DraftService } from "../templates/drafts/index.js";
import { LiveChanges } from "./live-changes.js";
export { createContainer } from "./composition.js";

provide(READINESS_CHECK, (c) =>
  createReadinessCheck(
    c.resolve(STORE),
    c.resolve(RENDERER),
    c.resolve(DRAINING).signal,
  ),
);
provide(TOOL_SERVER_MOUNT, (c) => c.resolve(HttpTransport));
provide(CHANGES, (c) => {
  const drafts = c.resolve(DraftService);
  return new LiveChanges(c.resolve(STORE), (organizationId, id) =>
    drafts.pulse({ organizationId }, id),
  );
});

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
