import { PlatenError } from "../../plugin-api/index.js";

/** Aborted with a reason in our words when a call's client cancels it or goes away. */
export function untilCancelled(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const cancel = () => controller.abort(cancelled());
  if (signal.aborted) cancel();
  else signal.addEventListener("abort", cancel, { once: true });
  return controller.signal;
}

function cancelled(): PlatenError {
  return new PlatenError(
    "timeout",
    "The client cancelled the call, or went away, before the document was ready.",
  );
}
