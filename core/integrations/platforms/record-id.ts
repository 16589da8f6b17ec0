import type { Document } from "../../storage/database/index.js";

/** The record that a document of a platform's batch is made of: one of our own keys there, told to callers. */
export function recordIdOf({ metadata }: Pick<Document, "metadata">): string {
  const id = metadata?.recordId;
  return typeof id === "string" ? id : "";
}
