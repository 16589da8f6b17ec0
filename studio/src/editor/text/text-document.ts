import {
  type Attrs,
  type DOMOutputSpec,
  Fragment,
  Mark as DocMark,
  type MarkSpec,
  type NodeSpec,
  Schema,
  type Node as DocNode,
} from "prosemirror-model";
import type {
  Inline,
  Mark,
  Style,
  Text,
} from "../../../../core/plugin-api/definition.js";
import {
  parseTemplate,
  serializeTemplate,
  type TemplatePart,
  toInlines,
} from "./template.js";

// The document model of a text: the ProseMirror schema, and the conversion from a `Text` of the definition to a document
// and back. Converting an unchanged document back returns the text it was created from.

const simpleMark = (tag: string): MarkSpec => ({
  parseDOM: [{ tag }],
  toDOM: () => [tag, 0],
});

/** An inline leaf, written to copied HTML as `<span data-name="source">`. */
function leaf(name: string, toDOM: (node: DocNode) => DOMOutputSpec): NodeSpec {
  const attribute = `data-${name}`;
  return {
    inline: true,
    group: "inline",
    attrs: { source: { validate: "string" } },
    toDOM,
    parseDOM: [
      {
        tag: `span[${attribute}]`,
        getAttrs: (element): Attrs => ({
          source: element.getAttribute(attribute) ?? "",
        }),
      },
    ],
  };
}

/**
 * One text of a definition. The `source` of each leaf is what the definition has in its place: `break` a line end or
 * `br`, `chip` a whole `{{ … }}`, `braces` two literal braces, `number` `page` or `pages`.
 */
export const textSchema = new Schema({
  nodes: {
    doc: { content: "inline*" },
    text: { group: "inline" },
    break: {
      ...leaf("break", () => ["br"]),
      attrs: { source: { default: "\n", validate: "string" } },
      linebreakReplacement: true,
      parseDOM: [{ tag: "br" }],
      leafText: () => "\n",
    },
    chip: {
      ...leaf("chip", ({ attrs }) => [
        "span",
        { "data-chip": getSource(attrs) },
        getSource(attrs),
      ]),
      leafText: ({ attrs }) => getSource(attrs),
    },
    braces: {
      ...leaf("braces", ({ attrs }) => [
        "span",
        { "data-braces": getSource(attrs) },
        "{{",
      ]),
      leafText: ({ attrs }) => getSource(attrs),
    },
    number: leaf("number", ({ attrs }) => [
      "span",
      { "data-number": getSource(attrs) },
      getSource(attrs),
    ]),
  },
  marks: {
    link: {
      attrs: { href: { validate: "string" } },
      inclusive: false,
      parseDOM: [
        {
          tag: "a[href]",
          getAttrs: (element): Attrs => ({
            href: element.getAttribute("href") ?? "",
          }),
        },
      ],
      toDOM: ({ attrs }) => ["a", { href: String(attrs["href"]) }, 0],
    },
    // Styles can be nested. The editor view applies them; copied HTML carries them as JSON.
    style: {
      attrs: { style: {} },
      excludes: "",
      parseDOM: [
        {
          tag: "span[data-style]",
          getAttrs: (element) => parseStyle(element.getAttribute("data-style")),
        },
      ],
      toDOM: (mark) => [
        "span",
        { "data-style": JSON.stringify(getMarkStyle(mark)) },
        0,
      ],
    },
    bold: simpleMark("strong"),
    italic: simpleMark("em"),
    underline: simpleMark("u"),
    strike: simpleMark("s"),
  },
});

/** Returns false for invalid JSON, which makes ProseMirror skip the rule. */
function parseStyle(text: string | null): Attrs | false {
  try {
    const style: unknown = JSON.parse(text ?? "");
    const isStyle =
      typeof style === "object" &&
      style !== null &&
      Object.values(style).every((value) => typeof value === "string");
    return isStyle ? { style } : false;
  } catch {
    return false;
  }
}

export function getSource(attrs: Attrs): string {
  return String(attrs["source"]);
}

export function getMarkStyle(mark: DocMark): Record<string, string> {
  // Only `createMark` and `parseStyle` create this attribute.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return mark.attrs["style"] as Record<string, string>;
}

// From the definition to a document

export function createDoc(text: Text): DocNode {
  const nodes = toInlines(text).flatMap(createNodes);
  return textSchema.node("doc", null, Fragment.fromArray(nodes));
}

function createNodes(inline: Inline): DocNode[] {
  if (typeof inline === "string") return createTemplateNodes(inline, []);
  if ("br" in inline) return [createLeaf("break", "br")];
  if ("pageNumber" in inline) return [createLeaf("number", inline.pageNumber)];
  return createTemplateNodes(inline.text, toMarkSet(inline.marks));
}

export function createTemplateNodes(
  source: string,
  marks: readonly DocMark[],
): DocNode[] {
  return parseTemplate(source).map((part) =>
    part.kind === "text"
      ? textSchema.text(part.text, marks)
      : createLeaf(part.kind, part.source, marks),
  );
}

export function createLeaf(
  kind: "break" | "chip" | "braces" | "number",
  source: string,
  marks: readonly DocMark[] = [],
): DocNode {
  return textSchema.node(kind, { source }, undefined, marks);
}

/** Ordered and deduplicated by the schema: of two links the last one wins. */
function toMarkSet(marks: readonly Mark[] | undefined): readonly DocMark[] {
  return (marks ?? []).reduce<readonly DocMark[]>(
    (set, mark) => createMark(mark).addToSet(set),
    [],
  );
}

function createMark(mark: Mark): DocMark {
  if (typeof mark === "string") return textSchema.mark(mark);
  if ("link" in mark) return textSchema.mark("link", { href: mark.link });
  return textSchema.mark("style", { style: mark.style });
}

// From a document to the definition

/**
 * Converts a document to a text. Inlines of `before` that did not change are returned as the same objects. A document
 * without marks, page numbers and explicit line breaks becomes a plain string.
 * @param before the text that the document was created from
 */
export function toText(doc: DocNode, before: Text): Text {
  const old = createDoc(before);
  const start = old.content.findDiffStart(doc.content);
  if (start === null) return before;
  const isPlain = doc.children.every(
    (node) => node.marks.length === 0 && toStandaloneInline(node) === null,
  );
  if (isPlain) return serializeTemplate(toTemplateParts(doc.content));
  if (typeof before === "string") return writeInlines(doc.content, [], []);
  const shrunk = doc.content.size - old.content.size;
  const end = findDiffEnd(old, doc, start);
  const {
    before: keptInlines,
    touched,
    rest,
    from,
    to,
  } = splitUnchanged(before, start, end);
  const middle = doc.slice(from, to + shrunk).content;
  return [...keptInlines, ...writeInlines(middle, touched, before), ...rest];
}

/** The position in the old document after which both documents are equal. */
function findDiffEnd(old: DocNode, doc: DocNode, start: number): number {
  const end = old.content.findDiffEnd(doc.content);
  if (!end) return old.content.size;
  // When a letter is typed next to the same letter, the two differences overlap.
  const overlap = Math.max(0, start - Math.min(end.a, end.b));
  return end.a + overlap;
}

/** The inlines entirely before and entirely after a change, and those that it changes or adjoins, with their range. */
function splitUnchanged(
  inlines: readonly Inline[],
  start: number,
  end: number,
) {
  let offset = 0;
  const ranges = inlines.map((inline) => {
    const from = offset;
    for (const { nodeSize } of createNodes(inline)) offset += nodeSize;
    return { from, to: offset };
  });
  const first = ranges.findIndex(({ to }) => to >= start);
  const last = ranges.findLastIndex(({ from }) => from <= end);
  const firstTouched = first < 0 ? inlines.length : first;
  return {
    before: inlines.slice(0, firstTouched),
    touched: inlines.slice(firstTouched, last + 1),
    rest: inlines.slice(last + 1),
    from: ranges[first]?.from ?? ranges.at(-1)?.to ?? 0,
    to: ranges[last]?.to ?? 0,
  };
}

/**
 * The inlines of nodes.
 * @param touched the inlines that had their place; each is returned as it was where its nodes are unchanged
 */
function writeInlines(
  content: Fragment,
  touched: readonly Inline[],
  before: readonly Inline[],
): Inline[] {
  const inlines: Inline[] = [];
  let run: DocNode[] = [];
  let remaining = touched;
  const endRun = () => {
    if (run.length === 0) return;
    const nodes = Fragment.fromArray(run);
    const unchanged = remaining.findIndex((inline) =>
      Fragment.fromArray(createNodes(inline)).eq(nodes),
    );
    inlines.push(remaining[unchanged] ?? writeRun(run, before));
    remaining = remaining.slice(unchanged + 1);
    run = [];
  };
  for (const node of content.content) {
    const [first] = run;
    const standalone = toStandaloneInline(node);
    if (standalone || (first && !DocMark.sameSet(first.marks, node.marks)))
      endRun();
    if (standalone) inlines.push(standalone);
    else run.push(node);
  }
  endRun();
  return inlines;
}

/** The inline of a node that cannot be part of a Template; null for all other nodes. */
function toStandaloneInline({ type, attrs }: DocNode): Inline | null {
  if (type.name === "break" && getSource(attrs) === "br") return { br: true };
  if (type.name !== "number") return null;
  return { pageNumber: getSource(attrs) === "pages" ? "pages" : "page" };
}

function writeRun(run: readonly DocNode[], before: readonly Inline[]): Inline {
  const text = serializeTemplate(run.map(toTemplatePart));
  const marks = run[0]?.marks ?? [];
  return marks.length === 0 ? text : { text, marks: writeMarks(marks, before) };
}

/** A set of marks that was there before keeps the order in which it was written. */
function writeMarks(
  marks: readonly DocMark[],
  before: readonly Inline[],
): Mark[] {
  for (const inline of before) {
    const isMarked = typeof inline !== "string" && "text" in inline;
    const oldMarks = isMarked ? inline.marks : undefined;
    if (oldMarks && DocMark.sameSet(toMarkSet(oldMarks), marks))
      return oldMarks;
  }
  return marks.map(toDefinitionMark);
}

function toDefinitionMark(mark: DocMark): Mark {
  switch (mark.type.name) {
    case "bold":
    case "italic":
    case "underline":
    case "strike":
      return mark.type.name;
    case "link":
      return { link: String(mark.attrs["href"]) };
    default: {
      const style: Style = getMarkStyle(mark);
      return { style };
    }
  }
}

/** The Template parts of nodes, with their marks dropped. */
export function toTemplateParts(content: Fragment): TemplatePart[] {
  const parts: TemplatePart[] = [];
  for (const part of content.content.map(toTemplatePart)) {
    const last = parts.at(-1);
    // Texts that differ only in their marks are joined.
    if (part.kind === "text" && last?.kind === "text")
      parts.splice(-1, 1, { kind: "text", text: last.text + part.text });
    else parts.push(part);
  }
  return parts;
}

function toTemplatePart(node: DocNode): TemplatePart {
  if (node.isText) return { kind: "text", text: node.text ?? "" };
  const source = getSource(node.attrs);
  switch (node.type.name) {
    case "chip":
      return { kind: "chip", source };
    case "braces":
      return { kind: "braces", source };
    default:
      return { kind: "break", source: source === "br" ? "\n" : source };
  }
}
