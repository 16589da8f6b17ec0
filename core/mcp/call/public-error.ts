import { randomUUID } from "node:crypto";
import { type Log, PlatenError } from "../../plugin-api/index.js";

/** What may be told of whatever was thrown; what may not goes to the log, under a number that the answer names. */
export function publicError(thrown: unknown, log: Log): PlatenError {
  if (thrown instanceof PlatenError) {
    note(thrown, log);
    return thrown;
  }
  const fault = randomUUID();
  log.error({ err: thrown, fault }, "a tool failed");
  return new PlatenError(
    "internal",
    "Something went wrong in the service, not in the call. Try again; if it stays, tell whoever runs it the number " +
      `${fault}.`,
    { cause: thrown },
  );
}

function note({ code, status, message, cause }: PlatenError, log: Log): void {
  const fields = { code, ...(cause !== undefined && { err: cause }) };
  log[status >= 500 ? "error" : "debug"](fields, message);
}
