import type { ServerResponse } from "node:http";
import { PlatenError } from "../plugin-api/index.js";

/** Aborted when the client goes away before its answer is out; the reason says so. */
export function hangUpSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) controller.abort(clientGone());
  });
  return controller.signal;
}

function clientGone(): PlatenError {
  return new PlatenError(
    "timeout",
    "The client closed the connection before the document was ready.",
  );
}
