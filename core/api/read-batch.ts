import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { BatchDraft, BatchItem } from "../batches/index.js";
import { PlatenError } from "../plugin-api/index.js";
import { BatchBody } from "./batch-body.js";
import { BatchParser } from "./batch-parser.js";
import { jsonBytes } from "./json-bytes.js";

/** The settings of a batch, checked; its items are in the draft. */
export type BatchSettings = ReturnType<BatchBody["settings"]>;

export interface BatchLimits {
  bodyBytes: number;
  /** Of one item, and of all that stands beside the items: as much as a single request may have. */
  itemBytes: number;
}

export interface ReadBatch {
  settings: BatchSettings;
  /** SHA-256 of the body, byte by byte. */
  hash: string;
}

/**
 * Reads the body of a batch as it arrives, so that its size costs no memory; the order of its names is free. Reads to
 * the end also when there are problems, so that the client hears of all of them.
 * @throws PlatenError `invalid_request` with problems such as `$.items[3].formats[0]`, `too_large`.
 */
export async function readBatch(
  request: IncomingMessage,
  draft: Pick<BatchDraft, "add">,
  limits: BatchLimits,
): Promise<ReadBatch> {
  const hash = createHash("sha256");
  const body = new BatchBody();
  const parser = new BatchParser(body, limits.itemBytes);
  for await (const chunk of jsonBytes(request, limits.bodyBytes)) {
    hash.update(chunk);
    parser.write(chunk);
    for (const { item, path } of body.takeItems())
      await addTo(draft, item, path, body);
  }
  parser.end();
  return { settings: body.settings(), hash: hash.digest("hex") };
}

/** The same hash of a body that is not read otherwise. @throws PlatenError `invalid_request`, `too_large`. */
export async function hashBatch(
  request: IncomingMessage,
  maxBytes: number,
): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of jsonBytes(request, maxBytes)) hash.update(chunk);
  return hash.digest("hex");
}

async function addTo(
  draft: Pick<BatchDraft, "add">,
  item: BatchItem,
  path: string,
  body: BatchBody,
): Promise<void> {
  try {
    await draft.add(item);
  } catch (error) {
    if (!(error instanceof PlatenError) || error.problems.length === 0)
      throw error;
    for (const problem of error.problems)
      body.note({ ...problem, path: problem.path.replace("$", () => path) });
  }
}
