import { JSONParser, TokenType } from "@streamparser/json";
import { PlatenError } from "../plugin-api/index.js";
import { deepestJson, tooDeep } from "../lib/json/index.js";
import type { BatchBody } from "./batch-body.js";

/**
 * Reads the bytes of a batch's body into its parts. An item is handed on and forgotten as soon as it is whole; what is
 * not whole yet is held within the limits of a single request, however long the body and whatever is in it.
 */
export class BatchParser {
  readonly #parser = new JSONParser({
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
  }

  /** @throws PlatenError `invalid_request`, `too_large` for an item, or for what stands beside the items. */
  write(chunk: Uint8Array): void {
    parse(() => this.#parser.write(chunk));
    this.#size += chunk.byteLength;
    if (this.#size - this.#whole > this.maxItemBytes)
      throw tooLarge(this.maxItemBytes);
  }

  /** @throws PlatenError `invalid_request` for a body that ends too early. */
  end(): void {
    if (!this.#parser.isEnded) parse(() => this.#parser.end());
  }

  #handItems(): void {
    this.#parser.onValue = ({ value, key, parent, stack }) => {
      if (stack.length === 0) return this.body.end(value);
      if (!Array.isArray(parent)) return;
      parent.length = 0;
      this.#whole = this.#at;
      this.body.item(String(stack.at(-1)?.key), Number(key), value);
    };
  }

  /** The parser keeps a record of each level that is open: a body of nothing but brackets would take all memory. */
  #watchTokens(): void {
    this.#parser.onToken = ({ token, offset }) => {
      this.#at = offset;
      this.#depth += steps.get(token) ?? 0;
      if (this.#depth > deepestJson) throw tooDeep("The body is");
    };
  }
}

const steps = new Map([
  [TokenType.LEFT_BRACE, 1],
  [TokenType.LEFT_BRACKET, 1],
  [TokenType.RIGHT_BRACE, -1],
  [TokenType.RIGHT_BRACKET, -1],
]);

function parse(step: () => void): void {
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

function tooLarge(maxBytes: number): PlatenError {
  return new PlatenError(
    "too_large",
    `An item, or what stands beside the items, is over the limit of ${maxBytes} bytes. Make it smaller, or raise PLATEN_MAX_BODY_BYTES.`,
  );
}
