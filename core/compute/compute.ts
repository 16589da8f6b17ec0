import type { DraftAnalysis } from "../compiler/index.js";
import type { CheckedDefinition, ProjectData } from "../definition/index.js";
import { watchWork } from "../lib/event-loop.js";
import { answeringTurns, MIN_TURN_LENGTH } from "../lib/fair-queue.js";
import { JsonText, parseJson } from "../lib/json.js";
import { runWithBudget } from "../lib/time-budget.js";
import { provide } from "../lib/injection.js";
import { type Caller, ComputePool } from "./compute-pool.js";
import { cleanSvg, type CleanSvg } from "./clean-svg.js";
import type { OpenedFont } from "./open-font.js";
import type { OpenedPkcs12 } from "./open-pkcs12.js";
import {
  type CheckInput,
  definitionTasks,
  type DefinitionTasks,
  type FileTasks,
  type ParsedBody,
} from "./tasks.js";

/** How long the thread that answers requests works on one call before it hands it over. */
export const INLINE_MS = 8;
/** Until the code has been compiled by the engine, the same work takes many times as long. */
const INLINE_COLD_MS = 50;
const COLD_CALLS = 40;

/** Definitions with more characters are checked and compiled by threads. */
const MAX_INLINE_CHARACTERS = 64 * 1024;

/** Longer bodies are parsed by threads: 128 kB of short keys take about 20 ms. */
const MAX_INLINE_BODY = 128 * 1024;
/** Bodies are bounded, so parsing ends in far less. */
const PARSE_TIMEOUT_MS = 30_000;

/** Longer drawings are cleaned by threads: this much takes about 5 ms. */
const MAX_INLINE_SVG = 16 * 1024;

/** Does at once what is short, and in threads what is not. */
export class Compute {
  #calls = 0;

  constructor(readonly pool: ComputePool = new ComputePool()) {}

  /**
   * @returns the definition as it is saved, with an id for every component; null when there are problems
   * @throws PlatenError `timeout`, `too_large` or `busy`
   */
  async check(input: CheckInput, caller: Caller): Promise<CheckedDefinition> {
    const done = this.#runSmall(input, (it) => definitionTasks.check(it));
    return done ? done.value : this.#runInThread("check", input, caller);
  }

  /** Analyzes a definition that is being edited. @throws as `check` */
  async analyze(input: CheckInput, caller: Caller): Promise<DraftAnalysis> {
    const done = this.#runSmall(input, (it) => definitionTasks.analyze(it));
    return done ? done.value : this.#runInThread("analyze", input, caller);
  }

  /** The html of an email template before its data is merged. Its converter loads slowly, so threads do this. */
  emailPage(definition: ProjectData, caller: Caller): Promise<string> {
    return this.#runInThread("emailPage", definition, caller);
  }

  /**
   * Parses a request's body. In a long one, objects of these fields become `JsonText`. Resolves when it is the caller's
   * turn to check what came out.
   * @throws PlatenError `invalid_request` as `parseJson`, `timeout`, `too_large` or `busy`
   */
  async parseBody(
    text: string,
    textFields: readonly string[],
    caller: Caller,
  ): Promise<unknown> {
    if (text.length <= MAX_INLINE_BODY) {
      if (text.length > MIN_TURN_LENGTH) await answeringTurns.take();
      return watchWork("parse request", () => parseJson(text));
    }
    const { value } = await this.pool.run({
      ...caller,
      name: "parseBody",
      input: { text, textFields },
      large: {},
      timeoutMs: PARSE_TIMEOUT_MS,
    });
    await answeringTurns.take();
    // The task's own result.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const { body, texts } = value as ParsedBody;
    const fields = Object.entries(texts);
    if (fields.length === 0) return body;
    return Object.fromEntries([
      ...Object.entries(Object(body)),
      ...fields.map(([name, json]) => [name, new JsonText(json)] as const),
    ]);
  }

  /**
   * Removes from an SVG what could run or load something.
   * @throws PlatenError `invalid_request`, `timeout`, `too_large` or `busy`
   */
  async cleanSvg(bytes: Uint8Array, caller: Caller): Promise<CleanSvg> {
    if (bytes.length <= MAX_INLINE_SVG)
      return watchWork("clean svg", () => cleanSvg(bytes));
    return this.#readFile("cleanSvg", { bytes }, caller);
  }

  /** @throws as `cleanSvg` */
  readFont(bytes: Uint8Array, caller: Caller): Promise<OpenedFont> {
    return this.#readFile("readFont", { bytes }, caller);
  }

  /** Opens a PKCS#12 file: a private key and its certificates. @throws as `cleanSvg` */
  openPkcs12(
    file: { bytes: Uint8Array; password: string },
    caller: Caller,
  ): Promise<OpenedPkcs12> {
    return this.#readFile("openPkcs12", file, caller);
  }

  /** Does short work at once. @returns null for work that was not short */
  runInline<T>(work: () => T): { value: T } | null {
    this.#calls += 1;
    const isCold = this.#calls <= COLD_CALLS;
    return runWithBudget(isCold ? INLINE_COLD_MS : INLINE_MS, work);
  }

  stop(): Promise<void> {
    return this.pool.stop();
  }

  async #readFile<K extends keyof FileTasks>(
    name: K,
    input: Parameters<FileTasks[K]>[0],
    caller: Caller,
  ): Promise<Awaited<ReturnType<FileTasks[K]>>> {
    const { value } = await this.pool.run({
      ...caller,
      name,
      input,
      large: {},
    });
    // The task's own result.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return value as Awaited<ReturnType<FileTasks[K]>>;
  }

  #runSmall<T>(
    input: CheckInput,
    task: (input: CheckInput) => T,
  ): { value: T } | null {
    if (isLargerThan(input, MAX_INLINE_CHARACTERS)) return null;
    return this.runInline(() => task(input));
  }

  async #runInThread<K extends keyof DefinitionTasks>(
    name: K,
    input: Parameters<DefinitionTasks[K]>[0],
    caller: Caller,
  ): Promise<ReturnType<DefinitionTasks[K]>> {
    const task = { ...caller, name, input: {}, large: input };
    const { value } = await this.pool.run(task);
    // The task's own result, which passed between threads as JSON.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return JSON.parse(String(value)) as ReturnType<DefinitionTasks[K]>;
  }
}

provide(Compute, () => new Compute());

/** What an object, an array, a number or a key takes beside its characters. */
const CHARACTERS_PER_VALUE = 8;

/** Values that are nested deeper count as large, so that none overflows the stack. */
const MAX_NESTING = 500;

/** Whether a JSON value takes more than about so many characters, as all `JsonText` does; stops counting there. */
export function isLargerThan(value: object, characters: number): boolean {
  return subtractSize(value, characters, 0) < 0;
}

/** @returns what is left; negative when it is not enough */
function subtractSize(value: unknown, characters: number, depth: number) {
  if (typeof value === "string") return characters - value.length;
  let left = characters - CHARACTERS_PER_VALUE;
  if (typeof value !== "object" || value === null) return left;
  if (depth > MAX_NESTING || value instanceof JsonText) return -1;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index += 1)
      left = subtractSize(value[index], left, depth + 1);
    return left;
  }
  for (const [key, part] of Object.entries(value)) {
    left = subtractSize(part, left - key.length, depth + 1);
    if (left < 0) return left;
  }
  return left;
}
