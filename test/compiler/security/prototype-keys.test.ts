import { expect } from "chai";
import { PlatenError } from "../../../core/plugin-api/index.js";
import { compileTemplate } from "../../../core/compiler/index.js";
import {
  checkDefinition,
  normalizeDefinition,
  TEMPLATE_TYPES,
} from "../../../core/definition/index.js";
import { expectAccepted } from "../../support/properties.js";
import { changed, getObjects, specimen } from "../specimen/specimens.js";
import { accepted, OPTIONS } from "../support.js";

const names = ["__proto__", "constructor", "prototype"];

/** An object with one more key of its own, as JSON brings it: a literal would set the prototype. */
function withKey(object: unknown, name: string): unknown {
  const json = JSON.stringify(object).slice(1);
  const rest = json === "}" ? json : `,${json}`;
  return JSON.parse(`{"${name}":{"polluted":true}${rest}`);
}

function namesOfObject(): string {
  return Reflect.ownKeys(Object.prototype).map(String).join();
}

describe("names of prototypes as keys", () => {
  let before: string;
  beforeEach(() => (before = namesOfObject()));
  afterEach(() => expect(namesOfObject()).to.equal(before));

  for (const type of TEMPLATE_TYPES)
    for (const name of names)
      it(`set no prototype in any object of a definition: ${name}, ${type}`, () => {
        const whole = specimen(type);
        expect(checkDefinition(whole, type).problems).to.eql([]);
        // Samples, which are any JSON, may have the other names.
        expectAccepted(name === "__proto__" ? 0 : 1, (accept) => {
          for (const [place] of getObjects(whole)) {
            const input = changed(whole, place, (old) => withKey(old, name));
            const { definition } = checkDefinition(input, type);
            if (name === "__proto__")
              expect(definition, place.join(".")).to.equal(null);
            if (definition === null) continue;
            accept();
            const saved = normalizeDefinition(definition);
            expect(Object.getPrototypeOf(saved)).to.equal(Object.prototype);
          }
        });
      });

  for (const name of names)
    it(`are rejected in any object of the data: ${name}`, () => {
      const whole = specimen("document");
      const program = compileTemplate(accepted(whole), "document");
      const data = whole["sample"];
      program.merge(data, OPTIONS);
      for (const [place] of getObjects(data)) {
        const record = changed(data, place, (old) => withKey(old, name));
        expect(() => program.merge(record, OPTIONS))
          .to.throw(PlatenError, `has the key "${name}"`)
          .with.property("code", "merge_failed");
      }
    });
});
