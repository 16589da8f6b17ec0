import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Tokenizer, TokenParser, TokenType } from "@streamparser/json";
import type { z } from "zod";
import type { BatchItem, BatchDraft } from "../batches/index.js";
import { answeringTurns } from "../lib/fair-queue.js";
import { findProto, maxJsonDepth, tooDeep } from "../lib/json.js";
import { requestProblems } from "../lib/request-problems.js";
import {
  parseLosslessNumber,
  PlatenError,
  type Problem,
} from "../plugin-api/index.js";
import { readJsonBytes } from "./request-body.js";
import { batchItemSchema, batchSettingsSchema } from "./routes/batches.js";

interface ReadItem {
  item: BatchItem;
  /** Where it stands: `$.items[3]`. */
  path: string;
}

const mostProblems = 50;
const names = ["items", "documents"] as const;
const knownKeys = [...Object.keys(batchSettingsSchema.shape), ...names];
const itemKeys = Object.keys(batchItemSchema.shape);

/** What has arrived of a batch's body, and what is wrong with it. */
class BatchBody {
  readonly #problems: Problem[] = [];
  #read: ReadItem[] = [];
  /** The index of the last item; they rise as long as there is one list. */
  #last = -1;
  #hasSecondList = false;
  #root: unknown;
  /** Whether `__proto__` stands somewhere in what has arrived. */
  mayHaveProto = false;

  /** An element of one of the two arrays. */
  item(name: string, index: number, value: unknown): void {
    const path = `$.${name}[${index}]`;
    if (index <= this.#last) this.#hasSecondList = true;
    this.#last = index;
    if (this.#noteProto(value, path)) return;
    const checked = batchItemSchema.safeParse(value, { reportInput: true });
    if (checked.success) this.#read.push({ item: checked.data, path });
    else this.#noteAll(checked.error.issues, path, itemKeys);
  }

  /** The good ones of the items since the last call. */
  takeItems(): ReadItem[] {
    const items = this.#read;
    this.#read = [];
    return items;
  }

  note(newProblem: Problem): void {
    if (this.#problems.length < mostProblems) this.#problems.push(newProblem);
  }

  /** The whole body, whose items were taken out. */
  end(root: unknown): void {
    this.#root = root;
  }

  /** @throws PlatenError `invalid_request` with every problem. */
  settings() {
    const { items, documents, ...rest } = objectOf(this.#root);
    this.#checkLists(items, documents);
    this.#noteProto(rest, "$");
    const checked = batchSettingsSchema.safeParse(rest, { reportInput: true });
    if (checked.success && this.#problems.length === 0)
      return { ...checked.data, listName: getListName(items) };
    if (!checked.success) this.#noteAll(checked.error.issues, "$", knownKeys);
    throw new PlatenError("invalid_request", "Invalid request body.", {
      problems: this.#problems,
    });
  }

  /** A key that schemas drop. */
  #noteProto(value: unknown, root: string): boolean {
    const path = this.mayHaveProto ? findProto(value) : null;
    if (path !== null)
      this.note(
        problem(root + path, "is a key that is not allowed. Rename it."),
      );
    return path !== null;
  }

  #checkLists(items: unknown, documents: unknown): void {
    const name = getListName(items);
    const list = items ?? documents;
    const isTwice = items !== undefined && documents !== undefined;
    if (isTwice || this.#hasSecondList)
      this.note(problem("$.documents", "is an alias of items: give one list."));
    else if (list === undefined) this.note(problem("$.items", "is required."));
    else if (!Array.isArray(list))
      this.note(problem(`$.${name}`, "must be an array."));
    else if (this.#last < 0)
      this.note(problem(`$.${name}`, "must contain at least one item."));
  }

  #noteAll(
    issues: readonly z.core.$ZodIssue[],
    root: string,
    keys: readonly string[],
  ): void {
    for (const bodyProblem of requestProblems(issues, root, keys))
      this.note(bodyProblem);
  }
}

function getListName(items: unknown): (typeof names)[number] {
  return items === undefined ? "documents" : "items";
}

function problem(path: string, message: string): Problem {
  return { path, code: "items", message };
}

function objectOf(root: unknown): Record<string, unknown> {
  if (typeof root === "object" && root !== null && !Array.isArray(root))
    return { ...root };
  throw new PlatenError("invalid_request", "The body must be a JSON object.");
}

/** The settings of a batch, checked; its items are in the draft. */
type BatchSettings = ReturnType<BatchBody["settings"]>;

interface BatchLimits {
  bodyBytes: number;
  /** Of one item, and of the settings of the batch: as much as a single request may have. */
  itemBytes: number;
}

interface ReadBatch {
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
  for await (const chunk of readJsonBytes(request, limits.bodyBytes)) {
    await answeringTurns.take();
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
  for await (const chunk of readJsonBytes(request, maxBytes))
    hash.update(chunk);
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
    for (const itemProblem of error.problems)
      body.note({
        ...itemProblem,
        path: itemProblem.path.replace("$", () => path),
      });
  }
}

/**
 * Reads the bytes of a batch's body into its parts. An item is handed on and forgotten as soon as it is whole; what is
 * not whole yet is held within the limits of a single request, however long the body and whatever is in it.
 */
class BatchParser {
  readonly #tokenizer = new LosslessTokenizer();
  readonly #values = new TokenParser({
    paths: ["$", "$.items.*", "$.documents.*"],
    keepStack: true,
  });
  #depth = 0;
  #size = 0;
  /** Where the last token stands, and the end of the last item that was whole, in bytes. */
  #at = 0;
  #whole = 0;

  constructor(
    private readonly body: BatchBody,
    private readonly maxItemBytes: number,
  ) {
    this.#handItems();
    this.#watchTokens();
    this.#connect();
  }

  /** @throws PlatenError `invalid_request`, `too_large` for an item, or for the settings of the batch. */
  write(chunk: Uint8Array): void {
    runParser(() => this.#tokenizer.write(chunk));
    this.#size += chunk.byteLength;
    if (this.#size - this.#whole > this.maxItemBytes)
      throw new PlatenError(
        "too_large",
        `An item, or the settings of the batch, is over the limit of ${this.maxItemBytes} bytes. Make it smaller, or raise PLATEN_MAX_BODY_BYTES.`,
      );
  }

  /** @throws PlatenError `invalid_request` for a body that ends too early. */
  end(): void {
    const isEnded = this.#tokenizer.isEnded && this.#values.isEnded;
    if (!isEnded) runParser(() => this.#tokenizer.end());
  }

  #handItems(): void {
    this.#values.onValue = ({ value, key, parent, stack }) => {
      if (stack.length === 0) return this.body.end(value);
      if (!Array.isArray(parent)) return;
      parent.length = 0;
      this.#whole = this.#at;
      this.body.item(String(stack.at(-1)?.key), Number(key), value);
    };
  }

  /** The parser keeps a record of each level that is open: a body of nothing but brackets would take all memory. */
  #watchTokens(): void {
    this.#tokenizer.onToken = (tokenInfo) => {
      const { token, offset } = tokenInfo;
      this.#at = offset;
      this.#depth += steps.get(token) ?? 0;
      if (this.#depth > maxJsonDepth) throw tooDeep("The body is");
      if (tokenInfo.value === "__proto__") this.body.mayHaveProto = true;
      this.#values.write(tokenInfo);
    };
  }

  /** An error or the end of one is one of the other. */
  #connect(): void {
    const [tokenizer, values] = [this.#tokenizer, this.#values];
    tokenizer.onEnd = () => {
      if (!values.isEnded) values.end();
    };
    values.onError = (error) => tokenizer.error(error);
    values.onEnd = () => {
      if (!tokenizer.isEnded) tokenizer.end();
    };
  }
}

/** Numbers that JavaScript would round become texts of their digits. */
class LosslessTokenizer extends Tokenizer {
  // The parser takes any value for a number, and its documentation suggests texts; its types do not have them.
  protected override parseNumber(text: string): ReturnType<typeof JSON.parse> {
    return parseLosslessNumber(text);
  }
}

const steps = new Map([
  [TokenType.LEFT_BRACE, 1],
  [TokenType.LEFT_BRACKET, 1],
  [TokenType.RIGHT_BRACE, -1],
  [TokenType.RIGHT_BRACKET, -1],
]);

function runParser(step: () => void): void {
  try {
    step();
  } catch (error) {
    throw error instanceof PlatenError ? error : notJson(error);
  }
}

function notJson(cause: unknown): PlatenError {
  const message = cause instanceof Error ? cause.message : "";
  const place = /absolute position "(\d+)"/.exec(message)?.[1];
  const where = place === undefined ? "" : ` at byte ${Number(place) + 1}`;
  const text = `The body is not valid JSON${where}.`;
  return new PlatenError("invalid_request", text, { cause });
}
