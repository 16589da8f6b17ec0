import { randomBytes } from "node:crypto";
import {
  readFile,
  realpath,
  rename,
  stat,
  unlink,
  writeFile,
} from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { InvalidArgumentError, Option } from "commander";
import type { UnknownFields } from "../definition/index.js";
import { decodeTextFile } from "../lib/utf8.js";
import { parseLosslessJson, PlatenError } from "../plugin-api/index.js";

// What commands read and write: arguments and files in, tables and JSON out.

/** The options of a command about one organization. */
export interface OfOrg {
  org: string;
  json?: boolean;
}

/** With `--json`: nothing but this value, on one line. Otherwise the text for people. */
export function print(
  { json }: { json?: boolean },
  value: unknown,
  text: string,
): void {
  process.stdout.write(`${json ? JSON.stringify(value) : text}\n`);
}

/** A line for people on stderr, so that stdout can be piped. */
export function warn(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Rows under headings, in columns as wide as their longest cell. */
export function table(headings: string[], rows: string[][]): string {
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((cells) => cells[column]?.length ?? 0)),
  );
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Rows under headings, each with what it shows of a row. With `--json`, the rows themselves. */
export function printTable<Row>(
  options: { json?: boolean },
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => string>>,
): void {
  const cells = rows.map((row) =>
    Object.values(columns).map((read) => read(row)),
  );
  print(options, rows, table(Object.keys(columns), cells));
}

/** One thing, a line for each property. */
export function properties(value: Record<string, string | null>): string {
  return table(
    ["", ""],
    Object.entries(value).map(([name, text]) => [name, text ?? "-"]),
  ).trimStart();
}

/** Parses an ISO 8601 timestamp, or a date, which means the end of that day in UTC. */
export function parseTime(text: string): Date {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isTimestamp = /^\d{4}-\d{2}-\d{2}T/.test(text);
  const time = new Date(isDate ? `${text}T23:59:59.999Z` : text);
  if ((isDate || isTimestamp) && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError(
    "Give a date such as 2030-12-31, or a time such as 2030-12-31T18:00:00Z.",
  );
}

/** What happens to fields of the data that a template does not declare. */
export function createUnknownFieldsOption(): Option {
  return new Option(
    "--unknown-fields <mode>",
    "What happens to fields that the template does not declare (default: allow)",
  ).choices(["allow", "warn", "error"] satisfies UnknownFields[]);
}

export function parseVersion(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a version's number, such as 3.");
}

/** Splits a list such as `a, b`. */
export function parseList(text: string): string[] {
  return text.split(",").map((word) => word.trim());
}

/** The bytes of a file; `-` is standard input. @throws PlatenError `invalid_request` when it cannot be read. */
export async function readBytes(path: string): Promise<Buffer> {
  try {
    return path === "-" ? await buffer(process.stdin) : await readFile(path);
  } catch (cause) {
    throw new PlatenError(
      "invalid_request",
      `The file ${path} cannot be read: ${reasonOf(cause)}.`,
      { cause },
    );
  }
}

/** @throws PlatenError `invalid_request` that says why it is not JSON, and where. */
export async function readJson(path: string): Promise<unknown> {
  const text = decodeTextFile(await readBytes(path), `The file ${path}`);
  try {
    return parseLosslessJson(text);
  } catch (cause) {
    // Some parsers name the line themselves.
    const reason = reasonOf(cause).replace(/ \(line \d+ column \d+\)$/, "");
    throw new PlatenError(
      "invalid_request",
      `The file ${path} is not valid JSON: ${reason}${lineAndColumn(reason, text)}.`,
      { cause },
    );
  }
}

/** The parser counts characters; people count lines. */
function lineAndColumn(reason: string, text: string): string {
  const position = /position (\d+)/.exec(reason)?.[1];
  if (position === undefined) return "";
  const lines = text.slice(0, Number(position)).split("\n");
  const column = (lines.at(-1) ?? "").length + 1;
  return ` (line ${lines.length}, column ${column})`;
}

/** Writes the whole file or nothing. @throws PlatenError `invalid_request` when it cannot be written. */
export async function writeWhole(
  path: string,
  bytes: Uint8Array | string,
): Promise<void> {
  try {
    const stats = await stat(path).catch(() => null);
    // A device or a pipe must stay what it is.
    if (stats !== null && !stats.isFile()) return await writeFile(path, bytes);
    const target = stats === null ? path : await realpath(path);
    const draft = `${target}.${randomBytes(6).toString("hex")}.tmp`;
    try {
      await writeFile(draft, bytes, { flag: "wx" });
      await rename(draft, target);
    } catch (error) {
      await unlink(draft).catch(() => undefined);
      throw error;
    }
  } catch (cause) {
    throw new PlatenError(
      "invalid_request",
      `The file ${path} cannot be written: ${reasonOf(cause)}.`,
      { cause },
    );
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
