import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { PlatenError } from "../plugin-api/index.js";

/** The bytes of a file; `-` is standard input. @throws PlatenError `invalid_request` for one that cannot be read. */
export async function readBytes(path: string): Promise<Buffer> {
  try {
    return path === "-" ? await buffer(process.stdin) : await readFile(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PlatenError(
      "invalid_request",
      `The file ${path} cannot be read: ${reason}.`,
      { cause },
    );
  }
}

/** @throws PlatenError `invalid_request` that says what is no JSON, and where. */
export async function readJson(path: string): Promise<unknown> {
  const text = (await readBytes(path)).toString("utf8").replace(/^\uFEFF/, "");
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PlatenError(
      "invalid_request",
      `The file ${path} is no JSON: ${reason}${placeOf(reason, text)}.`,
      { cause },
    );
  }
}

/** The parser counts characters; people count lines. */
function placeOf(reason: string, text: string): string {
  const position = /position (\d+)/.exec(reason)?.[1];
  if (position === undefined) return "";
  const lines = text.slice(0, Number(position)).split("\n");
  const column = (lines.at(-1) ?? "").length + 1;
  return ` (line ${lines.length}, column ${column})`;
}
