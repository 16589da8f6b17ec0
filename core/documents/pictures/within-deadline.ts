import type { Deadline } from "../../plugin-api/index.js";
import { pictureFault } from "../../assets/index.js";

/** Waits for shared work no longer than one document may; the work itself goes on for others that wait for it. */
export function withinDeadline<T>(
  work: () => Promise<T>,
  { signal }: Deadline,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () =>
      reject(
        pictureFault("It did not come in the time that the document has."),
      );
    if (signal.aborted) {
      giveUp();
      return;
    }
    signal.addEventListener("abort", giveUp, { once: true });
    const settle = () => signal.removeEventListener("abort", giveUp);
    work().then(resolve, reject).finally(settle).catch(reject);
  });
}
