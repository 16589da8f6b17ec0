import { PlatenError } from "../plugin-api/index.js";
import type { Renderer } from "../rendering/index.js";
import type { Store } from "../storage/database/index.js";

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
