import {
  type Attrs,
  type DOMOutputSpec,
  type Mark,
  type MarkSpec,
  type Node,
  type NodeSpec,
  Schema,
} from "prosemirror-model";

const simpleMark = (tag: string): MarkSpec => ({
  parseDOM: [{ tag }],
  toDOM: () => [tag, 0],
});

/** A leaf in a line; what it is called in copied markup, and how it is read back. */
function leaf(name: string, shown: (node: Node) => DOMOutputSpec): NodeSpec {
  const attribute = `data-${name}`;
  return {
    inline: true,
    group: "inline",
    attrs: { source: { validate: "string" } },
    toDOM: shown,
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
 * One text of a definition. Each leaf has in `source` what the definition has in its place:
 * `break` a line end or `br`, `chip` a whole `{{ … }}`, `braces` two literal braces, `number` `page` or `pages`.
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
        { "data-chip": sourceOf(attrs) },
        sourceOf(attrs),
      ]),
      leafText: ({ attrs }) => sourceOf(attrs),
    },
    braces: {
      ...leaf("braces", ({ attrs }) => [
        "span",
        { "data-braces": sourceOf(attrs) },
        "{{",
      ]),
      leafText: ({ attrs }) => sourceOf(attrs),
    },
    number: leaf("number", ({ attrs }) => [
      "span",
      { "data-number": sourceOf(attrs) },
      sourceOf(attrs),
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
    // Several may lie in one another. Its look is set by the view; copied markup has it as JSON.
    style: {
      attrs: { style: {} },
      excludes: "",
      parseDOM: [
        {
          tag: "span[data-style]",
          getAttrs: (element) => readStyle(element.getAttribute("data-style")),
        },
      ],
      toDOM: (mark) => [
        "span",
        { "data-style": JSON.stringify(styleOf(mark)) },
        0,
      ],
    },
    bold: simpleMark("strong"),
    italic: simpleMark("em"),
    underline: simpleMark("u"),
    strike: simpleMark("s"),
  },
});

/** False for what is no style. */
function readStyle(text: string | null): Attrs | false {
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

export function sourceOf(attrs: Attrs): string {
  return String(attrs["source"]);
}

export function styleOf(mark: Mark): Record<string, string> {
  // The schema's only object; it is made in `toMark` alone.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return mark.attrs["style"] as Record<string, string>;
}
