import type { z } from "zod";
import type { BatchItem } from "../batches/index.js";
import { PlatenError, type Problem } from "../plugin-api/index.js";
import { requestProblems } from "../lib/json/index.js";
import { batchItemSchema, batchSettingsSchema } from "./routes/batches.js";

interface ReadItem {
  item: BatchItem;
  /** Where it stands: `$.items[3]`. */
  path: string;
}

const mostProblems = 50;
const names = ["items", "documents"] as const;
const known = [...Object.keys(batchSettingsSchema.shape), ...names];
const itemKeys = Object.keys(batchItemSchema.shape);

/** What has arrived of a batch's body, and what is wrong with it. */
export class BatchBody {
  readonly #problems: Problem[] = [];
  #read: ReadItem[] = [];
  /** The index of the last item; they rise as long as there is one list. */
  #last = -1;
  #hasSecondList = false;
  #root: unknown;

  /** An element of one of the two arrays. */
  item(name: string, index: number, value: unknown): void {
    const path = `$.${name}[${index}]`;
    if (index <= this.#last) this.#hasSecondList = true;
    this.#last = index;
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

  note(found: Problem): void {
    if (this.#problems.length < mostProblems) this.#problems.push(found);
  }

  /** The whole body, whose items were taken out. */
  end(root: unknown): void {
    this.#root = root;
  }

  /** @throws PlatenError `invalid_request` with every problem. */
  settings(): z.output<typeof batchSettingsSchema> {
    const { items, documents, ...rest } = objectOf(this.#root);
    this.#checkLists(items, documents);
    const checked = batchSettingsSchema.safeParse(rest, { reportInput: true });
    if (checked.success && this.#problems.length === 0) return checked.data;
    if (!checked.success) this.#noteAll(checked.error.issues, "$", known);
    throw new PlatenError("invalid_request", "The body is not right.", {
      problems: this.#problems,
    });
  }

  #checkLists(items: unknown, documents: unknown): void {
    const name = items === undefined ? "documents" : "items";
    const list = items ?? documents;
    const isTwice = items !== undefined && documents !== undefined;
    if (isTwice || this.#hasSecondList)
      this.note(problem("$.documents", "is an alias of items: give one list."));
    else if (list === undefined) this.note(problem("$.items", "is required."));
    else if (!Array.isArray(list))
      this.note(problem(`$.${name}`, "must be an array."));
    else if (this.#last < 0)
      this.note(problem(`$.${name}`, "must hold at least 1."));
  }

  #noteAll(
    issues: readonly z.core.$ZodIssue[],
    root: string,
    keys: readonly string[],
  ): void {
    for (const found of requestProblems(issues, root, keys)) this.note(found);
  }
}

function problem(path: string, message: string): Problem {
  return { path, code: "items", message };
}

function objectOf(root: unknown): Record<string, unknown> {
  if (typeof root === "object" && root !== null && !Array.isArray(root))
    return { ...root };
  throw new PlatenError("invalid_request", "The body must be a JSON object.");
}
