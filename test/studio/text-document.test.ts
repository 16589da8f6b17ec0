import { expect } from "chai";
import * as fc from "fast-check";
import { describe, it } from "mocha";
import { EditorState } from "prosemirror-state";
import type { Text } from "../../core/plugin-api/definition.js";
import {
  toText,
  createDoc,
} from "../../plugins/studio/app/src/editor/text/text-document.js";
import { anyInlines, anyTemplate } from "../support/editor-model.js";

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
      { numRuns: 800 },
    );
  });

  it("converts to a text with the same meaning when it is written as new", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const doc = createDoc(text);
        const written = toText(doc, "\u0000");
        expect(toText(createDoc(written), "\u0000")).to.eql(written);
      }),
      { numRuns: 800 },
    );
  });

  it("keeps everything outside of an edit exactly as it was", () => {
    const place = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(anyInlines, place, (inlines, at) => {
        const text = typed(inlines, "\u2603", at);
        if (typeof text === "string") return;
        const touched = text.findIndex((one) =>
          JSON.stringify(one).includes("\u2603"),
        );
        const after = text.length - touched - 1;
        expect(text.slice(0, touched)).to.eql(inlines.slice(0, touched));
        expect(after === 0 ? [] : text.slice(-after)).to.eql(
          after === 0 ? [] : inlines.slice(-after),
        );
      }),
      { numRuns: 800 },
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
