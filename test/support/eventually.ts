import { looks } from "./playwright.js";

/** Longer than the limit of any test. */
const PATIENCE_MS = 600_000;

/**
 * Waits until `look` finds something, asking again and again. Mocha's own limit ends a wait in vain; the asking ends
 * later, so that it does not go on beside all tests that follow.
 */
export async function eventually<T>(
  look: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for await (const _ of looks()) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) break;
  }
  throw new Error("waited in vain");
}
