import type { Repeat } from "./data-schema.js";

/** The collection that signers are taken from; one of its elements is named `submitter` in their templates. */
export function submitterRepeat(mapping: { collection: string }): Repeat {
  return { collectionId: "submitter", path: mapping.collection };
}
