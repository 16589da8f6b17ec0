import { expect } from "chai";
import { describe, it } from "mocha";
import type { Component } from "../../../core/plugin-api/index.js";
import {
  compileTemplate,
  evaluateSample,
} from "../../../core/compiler/index.js";
import { type Blueprint, blueprints } from "../../../core/templates/index.js";
import { OPTIONS } from "../support.js";

type Marked = Component & { id: string };

let marks = 0;

/** The repeats that draw an element each and stand in no other, marked so that they are found in the html. */
function markRepeats(list: Component[]): Marked[] {
  return list.flatMap((one): Marked[] => {
    const inside = "components" in one ? (one.components ?? []) : [];
    if (!one.collection) return markRepeats(inside);
    if (one.type === "fragment" || one.type === "section") return [];
    const id = (one.id ??= crypto.randomUUID());
    const order = String((marks += 1));
    return [Object.assign(one, { id, style: { ...one.style, order } })];
  });
}

function countRepeats({ definition, templateType }: Blueprint) {
  const marked = markRepeats(definition.components);
  const program = compileTemplate(definition, templateType);
  const { html } = program.merge(definition.sample, OPTIONS);
  const drawn = marked.map(
    ({ style }) => html.split(`order:${style?.order}"`).length - 1,
  );
  const { repeats } = evaluateSample(
    definition,
    definition.sample,
    OPTIONS.now,
  );
  const counted = marked.map(({ id, collection }) => {
    const { groups = null, passing = -1 } = repeats.get(id) ?? {};
    const { offset = 0, limit = Infinity } = collection ?? {};
    return Math.min(limit, Math.max(0, (groups ?? passing) - offset));
  });
  return { drawn, counted };
}

describe("the preview of a blueprint's repeats", () => {
  for (const blueprint of blueprints())
    it(`matches the document: ${blueprint.id}`, () => {
      const { drawn, counted } = countRepeats(blueprint);
      expect(counted).to.deep.equal(drawn);
      expect(drawn).not.to.include(0);
    });

  it("exists for most of them", () => {
    const counts = blueprints().flatMap((one) => countRepeats(one).counted);
    expect(counts.length).to.be.at.least(12);
  });
});
