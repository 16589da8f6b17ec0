import { expectAccepted, fc } from "../../support/properties.js";
import { PlatenError } from "../../../core/plugin-api/index.js";
import { blueprints } from "../../../core/templates/blueprints/index.js";
import { compileTemplate } from "../../../core/compiler/index.js";
import { changed, getStrings, type Place } from "../specimen/specimens.js";
import { accepted, OPTIONS } from "../support.js";

/** Where a record may be changed: at every text of it, and at everything around that. */
function placesIn(record: unknown): Place[] {
  return getStrings(record).flatMap(([place]) =>
    place.map((_key, length) => place.slice(0, length + 1)),
  );
}

const odd = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(null, "", 0, -0, 1e308, 1e-9, true, [], {}, [[]], [null]),
  fc.constantFrom("NaN", "1e999", "2026-02-30", "275761-01-01", "\ud800", " "),
  fc.string({ unit: "binary", maxLength: 300 }),
);

const options = { ...OPTIONS, invalidCodes: "placeholder" } as const;

for (const { id, definition, templateType } of blueprints())
  describe(`the blueprint ${id}`, () => {
    const program = compileTemplate(
      accepted(definition, templateType),
      templateType,
    );
    const { sample } = definition;
    const place = fc.constantFrom(...placesIn(sample));
    const changes = fc.array(fc.tuple(place, odd), {
      minLength: 1,
      maxLength: 6,
    });
    const almost = changes.map((list) =>
      list.reduce<unknown>(
        (record, [at, value]) => changed(record, at, () => value),
        sample,
      ),
    );

    const anyRecord = fc.oneof(
      { weight: 5, arbitrary: almost },
      fc.jsonValue(),
    );

    it("merges any data or rejects it with a PlatenError", () => {
      expectAccepted(10, (accept) => {
        const property = fc.property(anyRecord, (data) => {
          try {
            program.merge(data, options);
            program.mjml(data, options);
            accept();
          } catch (error) {
            if (!(error instanceof PlatenError)) throw error;
          }
        });
        fc.assert(property, { numRuns: 25 });
      });
    });
  });
