import * as fc from "fast-check";
import type { Inline, Mark } from "../../core/plugin-api/definition.js";

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

export const anyTemplate: fc.Arbitrary<string> = fc
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

export const anyInlines: fc.Arbitrary<Inline[]> = fc.array(anyInline, {
  maxLength: 6,
});
