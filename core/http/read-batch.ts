import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { JSONParser } from "@streamparser/json";
import type { BatchDraft, BatchItem } from "../batch/index.js";
import { PlatenError } from "../contract/index.js";
import { BatchBody } from "./batch-body.js";
import { jsonBytes } from "./json-bytes.js";

/** The settings of a batch, checked; its items are in the draft. */
export type BatchSettings = ReturnType<BatchBody["settings"]>;

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
  maxBytes: number,
): Promise<ReadBatch> {
  const hash = createHash("sha256");
  const body = new BatchBody();
  const parser = parserInto(body);
  for await (const chunk of jsonBytes(request, maxBytes)) {
    hash.update(chunk);
    parse(() => parser.write(chunk));
    for (const { item, path } of body.takeItems())
      await addTo(draft, item, path, body);
  }
  if (!parser.isEnded) parse(() => parser.end());
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

/** Each item is handed on and forgotten as soon as it is whole. */
function parserInto(body: BatchBody): JSONParser {
  const parser = new JSONParser({
    paths: ["$", "$.items.*", "$.documents.*"],
    keepStack: true,
  });
  parser.onValue = ({ value, key, parent, stack }) => {
    if (stack.length === 0) return body.end(value);
    if (!Array.isArray(parent)) return;
    parent.length = 0;
    body.item(String(stack.at(-1)?.key), Number(key), value);
  };
  return parser;
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

function parse(step: () => void): void {
  try {
    step();
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    const place = /absolute position "(\d+)"/.exec(message)?.[1];
    const where = place === undefined ? "" : ` at byte ${Number(place) + 1}`;
    throw new PlatenError(
      "invalid_request",
      `The body is not valid JSON${where}.`,
      { cause: error },
    );
  }
}
