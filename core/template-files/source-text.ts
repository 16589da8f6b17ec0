import { decodeTextFile } from "../lib/utf8.js";
import { PlatenError } from "../plugin-api/index.js";
import {
  findNodeAtLocation,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { parseLosslessJson, type Problem } from "../plugin-api/index.js";

export interface FileProblem {
  severity: "error" | "warning";
  /** Below the templates folder, with slashes. */
  file: string;
  /** From 1; left out for a problem of the file as a whole. */
  line?: number;
  column?: number;
  /** The line of the file. */
  excerpt?: string;
  /** The JSON path in the definition, such as `$.components[2].text`. */
  path?: string;
  message: string;
  hint?: string;
}

/** A text file of a templates folder. */
export interface SourceText {
  file: string;
  text: string;
}

/** A place in a text, from 1. */
interface Position {
  line: number;
  column: number;
}

/** A JSON file: its value, and where each part of it is written. */
export interface JsonSource extends SourceText {
  value: unknown;
  root: Node | undefined;
}

/** @returns the problem instead when the text is not JSON */
export function parseJsonSource({
  file,
  text: written,
}: SourceText): JsonSource | FileProblem {
  const text = written.replace(/^\uFEFF/, "");
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  const [error] = errors;
  if (error === undefined)
    return { file, text, value: parseLosslessJson(text), root };
  const message = describeParseError(text, error);
  return createFileProblem(
    { file, text },
    { message },
    positionAt(text, error.offset),
  );
}

/** The text of a file, or the problem that it is neither UTF-8 nor UTF-16. */
export function toSourceText(
  file: string,
  bytes: Buffer,
): SourceText | FileProblem {
  try {
    return { file, text: decodeTextFile(bytes, `The file ${file}`) };
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    return createFileProblem({ file, text: "" }, { message: error.message });
  }
}

export function isJsonSource(
  parsed: JsonSource | FileProblem,
): parsed is JsonSource {
  return "value" in parsed;
}

const PARSE_ERRORS: Readonly<Record<string, string>> = {
  PropertyNameExpected: "A name in double quotes must follow here.",
  ValueExpected: "A value must follow here.",
  ColonExpected: "A colon must follow the name.",
  CommaExpected: "A comma is missing before this.",
  CloseBraceExpected: 'A "}" is missing.',
  CloseBracketExpected: 'A "]" is missing.',
  EndOfFileExpected: "The file must end here.",
  InvalidCommentToken: "JSON has no comments. Remove this one.",
  UnexpectedEndOfString: "The text's closing quote is missing.",
  InvalidEscapeCharacter: "This escape sequence is not valid in JSON.",
  InvalidCharacter:
    "A text must not contain this character. Write it as an escape sequence, such as \\n.",
};

function describeParseError(
  text: string,
  { error, offset }: ParseError,
): string {
  if (text.trim() === "") return "The file is empty.";
  const before = text.slice(0, offset).trimEnd();
  if (before.endsWith(",") && /^[}\]]/.test(text.slice(offset).trimStart()))
    return "JSON must not have a comma before a closing bracket. Remove the comma.";
  return (
    PARSE_ERRORS[printParseErrorCode(error)] ??
    "This is not valid JSON. Names and texts need double quotes."
  );
}

/** The place of a value in a JSON file, or of the nearest part of it that is written there. */
export function findPosition(
  { root, text }: JsonSource,
  keys: readonly (string | number)[],
): Position | null {
  if (root === undefined) return null;
  for (let length = keys.length; length >= 0; length -= 1) {
    const node = findNodeAtLocation(root, keys.slice(0, length));
    if (node) return positionAt(text, startOf(node));
  }
  return null;
}

/** A property begins at its name. */
function startOf({ parent, offset }: Node): number {
  return parent?.type === "property" ? parent.offset : offset;
}

export function positionAt(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split("\n");
  return {
    line: lines.length,
    column: (lines.at(-1) ?? "").length + 1,
  };
}

const MAX_EXCERPT = 160;

/** @param position where it is in the file; null for the whole file */
export function createFileProblem(
  { file, text }: SourceText,
  problem: Pick<Problem, "message"> & Partial<Pick<Problem, "hint" | "path">>,
  position: Position | null = null,
  severity: FileProblem["severity"] = "error",
): FileProblem {
  const { message, hint, path } = problem;
  return {
    severity,
    file,
    ...(position && {
      ...position,
      excerpt: excerptAt(text, position),
    }),
    ...(path !== undefined && { path }),
    message,
    ...(hint !== undefined && { hint }),
  };
}

/** The line, or for a long one the part around the column. */
function excerptAt(text: string, { line, column }: Position): string {
  const whole = (text.split("\n")[line - 1] ?? "").replace(/\r$/, "");
  if (whole.length <= MAX_EXCERPT) return whole.trim();
  const start = Math.max(0, column - 1 - MAX_EXCERPT / 2);
  const part = whole.slice(start, start + MAX_EXCERPT);
  return `${start > 0 ? "…" : ""}${part.trim()}…`;
}

/** One problem as compilers print it: `invoice/template.html:12:5: error: …`. */
export function describeFileProblem(problem: FileProblem): string {
  const { file, line, column, severity, message, hint, path } = problem;
  const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  const where = path === undefined || path === "$" ? "" : `${path}: `;
  return `${place === "" ? "" : `${place}: `}${severity}: ${where}${[message, hint].filter(Boolean).join(" ")}`;
}
