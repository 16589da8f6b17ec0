/** Operators that paint (ISO 32000-1, 8.2), and so must be in marked content. */
const PAINTING = new Set(
  ["f", "F", "f*", "B", "B*", "b", "b*", "S", "s", "sh", "Do"].concat([
    "Tj",
    "TJ",
    "'",
    '"',
  ]),
);
/** Operators that begin or continue a path, within which no content can be marked. */
const PATH = new Set(["m", "l", "c", "v", "y", "h", "re", "W", "W*"]);
/** Between them, marked content must begin and end. */
const TEXT_OBJECT = new Set(["BT", "ET"]);
const MARKS = new Set(["BDC", "BMC", "EMC"]);

const BEGIN = Buffer.from("/Artifact BMC\n");
const END = Buffer.from("EMC\n");

/** Elements that contain only others: what they paint themselves are lines and backgrounds. */
export const CONTAINERS: ReadonlySet<string> = new Set(
  "Table THead TBody TFoot TR L LI".split(" "),
);

/**
 * Marks as artifacts what a page paints outside of tagged content, such as backgrounds and lines: a tagged PDF must say
 * of all content what it is (ISO 14289-1, 7.1).
 * @param content drawing operators as Chromium writes them, without inline images
 * @param tagged names of forms that contain tagged content themselves
 * @returns null when all is marked
 */
export function markArtifacts(
  content: Uint8Array,
  tagged: ReadonlySet<string>,
): Buffer | null {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  const parts: Buffer[] = [];
  let copied = 0;
  const insert = (at: number, text: Buffer) => {
    parts.push(bytes.subarray(copied, at), text);
    copied = at;
  };
  /** Of each open marked content, whether it says what its content is. */
  const marks: boolean[] = [];
  let markedDepth = 0;
  let isOpen = false;
  let pathStart = -1;
  for (const { operator, start, end } of readOperators(bytes)) {
    const isMark = MARKS.has(operator);
    const drawsTags =
      operator === "Do" &&
      tagged.has(bytes.toString("latin1", start + 1, end - 2).trim());
    if (isOpen && (isMark || drawsTags || TEXT_OBJECT.has(operator))) {
      insert(start, END);
      isOpen = false;
    }
    if (operator === "EMC") markedDepth -= Number(marks.pop() ?? false);
    else if (isMark) {
      const mark = bytes.toString("latin1", start, end);
      const [, type = ""] = /^\/(\w+)/.exec(mark) ?? [];
      if (CONTAINERS.has(type)) {
        insert(start, BEGIN);
        copied = end;
      }
      const isKnown = type === "Artifact" || mark.includes("/MCID");
      marks.push(isKnown);
      markedDepth += Number(isKnown);
    } else if (drawsTags) {
      pathStart = -1;
      continue;
    } else if (PATH.has(operator)) {
      if (pathStart < 0) pathStart = start;
      continue;
    } else if (markedDepth === 0 && !isOpen && PAINTING.has(operator)) {
      insert(pathStart < 0 ? start : pathStart, BEGIN);
      isOpen = true;
    }
    pathStart = -1;
  }
  if (parts.length === 0) return null;
  parts.push(bytes.subarray(copied));
  if (isOpen) parts.push(Buffer.from("\n"), END);
  return Buffer.concat(parts);
}

interface Operator {
  operator: string;
  /** Where its first operand begins, and where it ends itself. */
  start: number;
  end: number;
}

const [SPACE, TAB, FORM_FEED, CARRIAGE_RETURN, LINE_FEED] = [32, 9, 12, 13, 10];
const [OPEN, CLOSE, BACKSLASH, PERCENT] = [40, 41, 92, 37];
const [LESS, GREATER, SLASH, LEFT, RIGHT] = [60, 62, 47, 91, 93];

/** Whether a byte ends a name, number or operator. */
const DELIMITERS = new Uint8Array(256);
for (const byte of [0, SPACE, TAB, FORM_FEED, CARRIAGE_RETURN, LINE_FEED])
  DELIMITERS[byte] = 1;
for (const byte of [OPEN, CLOSE, PERCENT, LESS, GREATER, SLASH, LEFT, RIGHT])
  DELIMITERS[byte] = 2;

/** Reads operators one after the other (ISO 32000-1, 7.8.2). */
function* readOperators(bytes: Buffer): Generator<Operator> {
  let start = -1;
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    if (DELIMITERS[byte] === 1) {
      at += 1;
      continue;
    }
    if (byte === PERCENT) {
      at = skipTo(bytes, at, LINE_FEED);
      continue;
    }
    if (start < 0) start = at;
    if (byte === OPEN) at = skipText(bytes, at);
    else if (byte === LESS && bytes[at + 1] !== LESS)
      at = skipTo(bytes, at, GREATER);
    else if (byte === SLASH) at = skipWord(bytes, at + 1);
    else if (DELIMITERS[byte] === 2) at += 1;
    else {
      const end = skipWord(bytes, at);
      const word = isLetter(byte) ? bytes.toString("latin1", at, end) : "";
      if (word !== "" && !KEYWORDS.has(word)) {
        yield { operator: word, start, end };
        start = -1;
      }
      at = end;
    }
  }
}

/** Operands that look like operators. */
const KEYWORDS = new Set(["true", "false", "null"]);

/** Whether an operator begins with it, which may be a quotation mark. */
function isLetter(first: number): boolean {
  return (
    (first >= 65 && first <= 90) ||
    (first >= 97 && first <= 122) ||
    first === 34 ||
    first === 39
  );
}

function skipWord(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && DELIMITERS[bytes[at] ?? 0] === 0) at += 1;
  return at;
}

function skipTo(bytes: Buffer, from: number, last: number): number {
  const at = bytes.indexOf(last, from);
  return at < 0 ? bytes.length : at + 1;
}

/** A text in parentheses, which may contain others. */
function skipText(bytes: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === BACKSLASH) at += 1;
    else if (byte === OPEN) depth += 1;
    else if (byte === CLOSE && (depth -= 1) === 0) return at + 1;
  }
  return bytes.length;
}
