import { PlatenError } from "../../plugin-api/index.js";

/** Why an image is not shown, as the report of the document tells it. */
export function pictureFault(reason: string, cause?: unknown): PlatenError {
  return new PlatenError("invalid_request", reason, { cause });
}

/** What is told of an image that failed for a reason that is ours alone. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof PlatenError) return thrown.message;
  return "The image could not be read.";
}
