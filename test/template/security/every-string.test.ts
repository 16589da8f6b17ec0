import { expect } from "chai";
import { describe, it } from "mocha";
import { PlatenError } from "../../../core/contract/index.js";
import {
  checkDefinition,
  compileTemplate,
  TEMPLATE_TYPES,
  type TemplateType,
} from "../../../core/template/index.js";
import { changed, specimen, stringsOf } from "../specimen/specimens.js";
import { audit } from "./audit.js";
import { documentOf } from "./examine.js";

/** One of each kind that would do harm if a string were written as it is. */
const payloads = [
  "</style></title>--><script>breach()</script><!--\"'><img src=x onerror=breach()>",
  "javascript:breach()",
  "{{ root.constructor.constructor('breach()')() }}",
  "{% for i in range(0, 9) %}{{ x(0, s0) }}{% endfor %}",
  "__proto__",
  "constructor",
  "toString",
  "",
  "\u0000\ud800",
];

/** What is wrong with the document of a definition that passes the checker. */
function faultsOf(definition: unknown, type: TemplateType): string[] {
  const checked = checkDefinition(definition, type).definition;
  if (checked === null) return [];
  try {
    const sample = Object(specimen(type)["sample"]);
    return audit(documentOf(compileTemplate(checked, type), sample));
  } catch (error) {
    return error instanceof PlatenError ? [] : [String(error)];
  }
}

for (const type of TEMPLATE_TYPES)
  describe(`every string of a definition of the type ${type}`, () => {
    const whole = specimen(type);
    for (const payload of payloads)
      it(`is refused or harmless when it is ${JSON.stringify(payload)}`, () => {
        for (const [place] of stringsOf(whole)) {
          const definition = changed(whole, place, () => payload);
          expect(faultsOf(definition, type), place.join(".")).to.eql([]);
        }
      });
  });
