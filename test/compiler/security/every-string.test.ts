import { expect } from "chai";
import { describe, it } from "mocha";
import { PlatenError } from "../../../core/plugin-api/index.js";
import { compileTemplate } from "../../../core/compiler/index.js";
import {
  checkDefinition,
  TEMPLATE_TYPES,
  type TemplateType,
} from "../../../core/definition/index.js";
import {
  changed,
  type Place,
  specimen,
  getStrings,
} from "../specimen/specimens.js";
import { audit } from "./audit.js";
import { mergeDocument } from "./examine.js";

/** Of each kind that would do harm if a string were written as it is; of several, each string is one. */
const payloads: [string, ...string[]][] = [
  [
    "</style></title>--><script>breach()</script><!--\"'><img src=x onerror=breach()>",
  ],
  ["javascript:breach()"],
  ["{{ root.constructor.constructor('breach()')() }}"],
  ["{% for i in range(0, 9) %}{{ x(0, s0) }}{% endfor %}"],
  ["__proto__", "constructor", "toString"],
  [""],
  ["\u0000\ud800"],
];

/** What is wrong with the document of a definition that passes the checker. */
function getFaults(definition: unknown, type: TemplateType): string[] {
  const checked = checkDefinition(definition, type).definition;
  if (checked === null) return [];
  try {
    const sample = Object(specimen(type)["sample"]);
    return audit(mergeDocument(compileTemplate(checked, type), sample));
  } catch (error) {
    return error instanceof PlatenError ? [] : [String(error)];
  }
}

/**
 * Every string with a definition that has it: of the components only the one around it, where that one may be alone.
 * What stands around no component is tried with all but the charts, which take longest to draw.
 */
function settings(type: TemplateType): [Place, unknown][] {
  const whole = specimen(type);
  const plain = withComponents(whole, (one) => !isChart(one));
  const alone = new Map<unknown, unknown>();
  const around = ([part, at]: Place): unknown => {
    if (part !== "components" || typeof at !== "number") return plain;
    if (!alone.has(at)) {
      const pruned = withComponents(whole, (_one, index) => index === at);
      const { definition } = checkDefinition(pruned, type);
      alone.set(at, definition === null ? whole : pruned);
    }
    return alone.get(at);
  };
  return getStrings(whole).map(([place]) => [place, around(place)]);
}

/** The others become spacers, so that each keeps its place. */
function withComponents(
  whole: Record<string, unknown>,
  keeps: (component: unknown, index: number) => boolean,
): object {
  const all: unknown[] = Object(whole["components"]);
  const spacer = { type: "spacer", height: "1mm" };
  const components = all.map((one, index) =>
    keeps(one, index) ? one : spacer,
  );
  return { ...whole, components };
}

function isChart(component: unknown): boolean {
  return Object(component).type === "chart";
}

for (const type of TEMPLATE_TYPES)
  describe(`every string of a definition of the type ${type}`, () => {
    const strings = settings(type);
    for (const kind of payloads)
      it(`is rejected or safe when it is ${JSON.stringify(kind)}`, () => {
        for (const [index, [place, around]] of strings.entries()) {
          const payload = kind[index % kind.length];
          const definition = changed(around, place, () => payload);
          expect(getFaults(definition, type), place.join(".")).to.eql([]);
        }
      });
  });
