import { expect } from "chai";
import { EditorState } from "prosemirror-state";
import { splitTemplate } from "../../../../core/definition/expressions/index.js";
import type {
  Inline,
  Mark,
  Text,
} from "../../../../core/plugin-api/definition.js";
import {
  parseTemplate,
  serializeTemplate,
  type TemplatePart,
} from "../../../../studio/src/editor/text/template.js";
import {
  createDoc,
  toText,
} from "../../../../studio/src/editor/text/text-document.js";
import { expectAccepted, fc } from "../../../support/properties.js";

// Texts as somebody might write them who wants to confuse an editor.

const pieces = [
  "{",
  "}",
  "{{",
  "}}",
  "\\",
  "\\{{",
  '"',
  "'",
  "\n",
  "\r\n",
  "\r",
  " ",
  "a",
  "{{ root.x }}",
  '{{ "}}" }}',
  '{{ root[\'a"b\'] | default("{{") }}',

  "{{}}",
  "{{ 'it\\'s' }}",
  "שלום",
  "\u202e",
  "😀",
  "👩‍👧",
  "\ud83d",
  "e\u0301",
  "日本",
];

const anyTemplate: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary" })), {
    maxLength: 12,
  })
  .map((parts) => parts.join(""));

const anyMark: fc.Arbitrary<Mark> = fc.oneof(
  fc.constantFrom("bold", "italic", "underline", "strike"),
  fc.record({ link: anyTemplate }),
  fc.constantFrom(
    { style: { color: "#ff0000" } },
    { style: { "font-size": "8pt", color: "{{ root.color }}" } },
  ),
);

const marked = fc.record(
  { text: anyTemplate, marks: fc.array(anyMark, { maxLength: 3 }) },
  { requiredKeys: ["text"] },
);

const anyInline: fc.Arbitrary<Inline> = fc.oneof(
  anyTemplate,
  marked,
  fc.constant({ br: true as const }),
  fc.constantFrom(
    { pageNumber: "page" as const },
    { pageNumber: "pages" as const },
  ),
);

const anyInlines: fc.Arbitrary<Inline[]> = fc.array(anyInline, {
  maxLength: 6,
});

const anyText: fc.Arbitrary<Text> = fc.oneof(anyTemplate, anyInlines);

/** The text after something was typed at a place, from 0 to 1 of its length. */
function typed(text: Text, words: string, place: number): Text {
  const state = EditorState.create({ doc: createDoc(text) });
  const at = Math.floor(place * state.doc.content.size);
  return toText(state.tr.insertText(words, at).doc, text);
}

describe("the document of a text", () => {
  it("converts back to the same text if nothing changed", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(toText(createDoc(text), text)).to.equal(text);
      }),
      { numRuns: 400 },
    );
  });

  it("converts to a text with the same meaning when it is written as new", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const doc = createDoc(text);
        const written = toText(doc, "\u0000");
        expect(toText(createDoc(written), "\u0000")).to.eql(written);
      }),
      { numRuns: 400 },
    );
  });

  it("keeps everything outside of an edit exactly as it was", () => {
    const place = fc.double({ min: 0, max: 1, noNaN: true });
    const property = (accept: () => void) =>
      fc.property(anyInlines, place, (inlines, at) => {
        const text = typed(inlines, "\u2603", at);
        if (typeof text === "string") return;
        accept();
        const touched = text.findIndex((one) =>
          JSON.stringify(one).includes("\u2603"),
        );
        const after = text.length - touched - 1;
        expect(text.slice(0, touched)).to.eql(inlines.slice(0, touched));
        expect(text.slice(touched + 1)).to.eql(
          after === 0 ? [] : inlines.slice(-after),
        );
      });
    // The edit adjoins an inline that could be written shorter.
    const adjoining: Inline[] = [
      { text: "\u0000", marks: ["bold"] },
      { text: "{" },
    ];
    expectAccepted(200, (accept) =>
      fc.assert(property(accept), {
        numRuns: 400,
        examples: [[adjoining, 0.5]],
      }),
    );
  });

  it("converts to a plain string if it has no marks", () => {
    fc.assert(
      fc.property(anyTemplate, (text) => {
        expect(typed(text, "x", 1)).to.be.a("string");
      }),
    );
  });
});

/** As the service reads it: literal texts, and what is in braces; null for what it refuses. */
function asServiceReads(source: string): string[] | null {
  try {
    const { literals, inner } = splitTemplate(source);
    return literals.flatMap((literal, index) =>
      index < inner.length ? [literal, `{{${inner[index]}}}`] : [literal],
    );
  } catch {
    return null;
  }
}

function asStudioReads(parts: readonly TemplatePart[]): string[] {
  const read = [""];
  for (const part of parts)
    if (part.kind === "chip") read.push(part.source, "");
    else read.push((read.pop() ?? "") + toLiteral(part));
  return read;
}

function toLiteral(part: TemplatePart): string {
  if (part.kind === "text") return part.text;
  return part.kind === "braces" ? "{{" : part.source;
}

describe("a Template in the studio", () => {
  it("is serialized exactly as it was parsed", () => {
    fc.assert(
      fc.property(anyTemplate, (source) => {
        expect(serializeTemplate(parseTemplate(source))).to.equal(source);
      }),
      { numRuns: 400 },
    );
  });

  it("has the same parts as in the service", () => {
    expectAccepted(200, (accept) => {
      const property = fc.property(anyTemplate, (source) => {
        const expected = asServiceReads(source);
        if (!expected) return;
        expect(asStudioReads(parseTemplate(source))).to.eql(expected);
        accept();
      });
      fc.assert(property, { numRuns: 400 });
    });
  });

  it("escapes typed braces and backslashes so that they stay literal", () => {
    const literal = fc.string({
      unit: fc.constantFrom("{", "}", "\\", '"', "a", "😀"),
    });
    fc.assert(
      fc.property(fc.array(literal), (texts) => {
        const parts = texts.flatMap((text): TemplatePart[] => [
          ...(text === "" ? [] : [{ kind: "text" as const, text }]),
          { kind: "chip", source: "{{ root.x }}" },
        ]);
        const read = asServiceReads(serializeTemplate(parts)) ?? [];
        const shown = read
          .join("")
          .replaceAll('{{ "{" }}', "{")
          .replaceAll('{{ "\\\\" }}', "\\");
        expect(shown).to.equal(asStudioReads(parts).join(""));
      }),
      { numRuns: 400 },
    );
  });
});
