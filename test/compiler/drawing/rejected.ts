import { PlatenError } from "../../../core/plugin-api/index.js";

/** The message of the `merge_failed` error that an action throws; fails the test when it throws none, or another. */
export function rejected(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof PlatenError && error.code === "merge_failed")
      return error.message;
    throw error;
  }
  throw new Error("Nothing was thrown.");
}
