import { signal } from "@preact/signals";
import { clock } from "../../../core/lib/clock.js";

/** The messages that are shown now. */
export const toasts = signal<readonly { id: number; text: string }[]>([]);
const shownMs = 6000;

/** Shows a message for a few seconds. */
export function toast(text: string): void {
  const id = Math.max(0, ...toasts.value.map((entry) => entry.id)) + 1;
  toasts.value = [...toasts.value.slice(-2), { id, text }];
  clock.limit(shownMs, () => {
    toasts.value = toasts.value.filter((entry) => entry.id !== id);
  });
}
