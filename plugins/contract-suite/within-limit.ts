const callMs = 60_000;
/** After the signal was given: a plugin that has not ended by then never would. */
const graceMs = 5_000;

/** Runs one call of a plugin with a limit of time, as the service's host does. */
export function withinLimit<T>(
  work: (signal: AbortSignal) => Promise<T>,
  stop?: AbortSignal,
): Promise<T> {
  const limit = AbortSignal.timeout(callMs);
  const signal = stop ? AbortSignal.any([stop, limit]) : limit;
  return Promise.race([work(signal), afterSignal(signal)]);
}

function afterSignal(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const giveUp = () => {
      const error = new Error("the call went on after its signal was given");
      setTimeout(() => {
        reject(error);
      }, graceMs).unref();
    };
    signal.addEventListener("abort", giveUp, { once: true });
  });
}
