import { readFileSync } from "node:fs";
import { expect } from "chai";
import {
  checkDefinition,
  pathKeys,
  TEMPLATE_TYPES,
  type TemplateType,
} from "../../../core/definition/index.js";
import { expectAccepted } from "../../support/properties.js";
import {
  changed,
  getStrings,
  type Place,
  specimen,
} from "../specimen/specimens.js";
import { createDefinition } from "../support.js";
import { audit } from "./audit.js";
import {
  emailComponents,
  emailParts,
  fillPlace,
  fillPlaces,
  markupComponents,
  pageParts,
  type Places,
  plainComponents,
} from "./document-places.js";
import { compile, findFaults, mergeDocument, Outlines } from "./examine.js";
import { payloads } from "./payloads.js";

const strings = Object.values(payloads).flat();

/** The components that the checker lets pass with the payload in them. */
function fillAccepted(
  places: Places,
  payload: string,
  type: TemplateType,
): object[] {
  const components = fillPlaces(places, payload);
  const { problems } = checkDefinition(createDefinition(components), type);
  // Loops of other languages are printed as they are, unless something else is refused.
  const refused = new Set(
    problems
      .filter(({ code }) => code !== "foreign_syntax")
      .map(({ path }) => pathKeys(path)[1]),
  );
  return components.filter((_component, index) => !refused.has(index));
}

/** The elements of a document with the components. */
function draw(components: object[], type: TemplateType) {
  return mergeDocument(compile(components, type), { x: "x" });
}

function getNames(elements: ReturnType<typeof draw>): string[] {
  return elements.map(({ tagName }) => tagName);
}

/** With the number of components, and of parts of the page, that are accepted for all payloads together. */
const types = [
  ["document", plainComponents, 2000, pageParts, 1000],
  ["email", emailComponents, 2800, emailParts, 250],
] as const;

for (const [type, plain, plainFloor, parts, partsFloor] of types)
  describe(`a malicious definition of the type ${type}`, () => {
    it("is refused or drawn as text", () => {
      // As an expression, the value is accepted in every place, styles included.
      const outlines = new Outlines((x) =>
        getNames(draw(fillPlaces(plain, `{{ ${JSON.stringify(x)} }}`), type)),
      );
      expectAccepted(plainFloor, (accept) => {
        for (const payload of strings) {
          const components = fillAccepted(plain, payload, type);
          const elements = draw(components, type);
          expect(audit(elements), payload).to.eql([]);
          expect(outlines.additions(getNames(elements)), payload).to.eql([]);
          components.forEach(accept);
        }
      });
    });

    it("is refused or drawn as safe markup in HTML and Markdown", () => {
      expectAccepted(500, (accept) => {
        for (const payload of strings) {
          const components = fillAccepted(markupComponents, payload, type);
          expect(audit(draw(components, type)), payload).to.eql([]);
          components.forEach(accept);
        }
      });
    });

    it("is refused or harmless in what surrounds its components", () => {
      expectAccepted(partsFloor, (accept) => {
        for (const payload of strings)
          for (const part of fillPlaces(parts, payload)) {
            const faults = findFaults(part, type);
            expect(faults ?? [], payload).to.eql([]);
            if (faults) accept();
          }
      });
    });
  });

interface Source {
  /** The property of the markup, with ¤ for a string. */
  html?: string;
  css?: string;
  mjml?: string;
  harmless: string;
  /** The number of payloads that are accepted. */
  accepted: number;
}

/** Places of HTML templates and of MJML. */
const sources: Record<TemplateType, Record<string, Source>> = JSON.parse(
  readFileSync(new URL("sources.json", import.meta.url), "utf8"),
);

/** Templates may use CSS that no component uses. */
function isHarm(fault: string): boolean {
  return !/^(?:.*: )?(?:[\w-]+\(\)|@(?:keyframes|font-face|supports|container))$/.test(
    fault,
  );
}

for (const type of TEMPLATE_TYPES)
  describe(`a malicious HTML template in a definition of the type ${type}`, () => {
    for (const [name, source] of Object.entries(sources[type]))
      it(`is refused or harmless as ${name}`, () => {
        const { harmless, accepted, ...markup } = source;
        const find = (text: string) =>
          findFaults([{ type: "markup", ...fillPlace(markup, text) }], type);
        expect(find(harmless)).to.eql([]);
        expectAccepted(accepted, (accept) => {
          for (const payload of strings) {
            const faults = find(payload);
            expect(faults?.filter(isHarm) ?? [], payload).to.eql([]);
            if (faults) accept();
          }
        });
      });
  });

/** Of each kind that would do harm if a string were written as it is; of several, each string is one. */
const kinds: [string, ...string[]][] = [
  [
    "</style></title>--><script>breach()</script><!--\"'><img src=x onerror=breach()>",
  ],
  ["javascript:breach()"],
  [
    "{{ root.constructor.constructor('breach()')() }}",
    "{% for i in range(0, 9) %}{{ x(0, s0) }}{% endfor %}",
  ],
  ["__proto__", "constructor", "toString", "", "\u0000\ud800"],
];

/**
 * Every string with a definition that has it: of the components only the one around it, where that one may be alone.
 * What stands around no component is tried with all but the charts, which take longest to draw.
 */
function listStrings(type: TemplateType): [Place, unknown][] {
  const whole = specimen(type);
  const plain = withComponents(whole, (one) => Object(one).type !== "chart");
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

for (const type of TEMPLATE_TYPES)
  describe(`every string of a definition of the type ${type}`, () => {
    for (const kind of kinds)
      it(`is rejected or safe when it is ${kind.map((one) => JSON.stringify(one)).join(" or ")}`, () => {
        const sample = Object(specimen(type)["sample"]);
        const all = listStrings(type);
        expectAccepted(all.length / 6, (accept) => {
          for (const [index, [place, around]] of all.entries()) {
            const payload = kind[index % kind.length];
            const definition = Object(changed(around, place, () => payload));
            const faults = findFaults(definition, type, sample);
            expect(faults ?? [], place.join(".")).to.eql([]);
            if (faults) accept();
          }
        });
      });
  });
