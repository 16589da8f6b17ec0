import { expect } from "chai";
import * as fc from "fast-check";
import { describe, it } from "mocha";
import { splitTemplate } from "../../core/definition/expressions/index.js";
import {
  parseTemplate,
  type TemplatePart,
  serializeTemplate,
} from "../../plugins/studio/app/src/editor/text/template.js";
import { anyTemplate } from "../support/editor-model.js";

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
      { numRuns: 800 },
    );
  });

  it("has the same parts as in the service", () => {
    fc.assert(
      fc.property(anyTemplate, (source) => {
        const expected = asServiceReads(source);
        if (expected)
          expect(asStudioReads(parseTemplate(source))).to.eql(expected);
      }),
      { numRuns: 800 },
    );
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
      { numRuns: 800 },
    );
  });
});
