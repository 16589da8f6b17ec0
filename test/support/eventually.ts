import { setTimeout as pause } from "node:timers/promises";

/** Waits until `look` finds something, asking again and again; mocha's own limit ends a wait in vain. */
export async function eventually<T>(
  look: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await pause(10);
  }
}
