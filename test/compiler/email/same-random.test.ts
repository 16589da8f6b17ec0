import { expect } from "chai";
import { fc } from "../../support/properties.js";
import { describe, it } from "mocha";
import { renderBothWays, email, isOn } from "./emails.js";

const guards = fc.record(
  {
    condition: fc.constant(isOn),
    collection: fc.constant({ path: "root.items" }),
  },
  { requiredKeys: [] },
);

const own = fc.constantFrom<object>(
  { type: "text", text: "{{ root.a }}" },
  { type: "heading", text: ["A", { text: "{{ root.b }}", marks: ["bold"] }] },
  { type: "button", text: "{{ root.a }}", href: "{{ root.link }}" },
  {
    type: "image",
    src: "{{ root.link }}",
    alt: "{{ root.b }}",
    href: "{{ root.link }}",
  },
  { type: "divider" },
  { type: "spacer", height: "9px" },
  { type: "html", value: "<p>{{ root.b }}</p>" },
);

function guarded(component: fc.Arbitrary<object>): fc.Arbitrary<object> {
  return fc
    .tuple(component, guards)
    .map(([one, more]) => ({ ...one, ...more }));
}

const contents = fc.array(guarded(own), { maxLength: 4 });
const columns = fc.array(
  contents.map((components) => ({ type: "column", components })),
  { minLength: 1, maxLength: 3 },
);
const section = columns.map((components) => ({ type: "section", components }));
const hero = contents.map((components) => ({
  type: "hero",
  background: "{{ root.link }}",
  components,
}));
const container = fc
  .array(guarded(section), { minLength: 1, maxLength: 2 })
  .map((components) => ({ type: "container", components }));
const body = fc.array(guarded(fc.oneof(section, hero, container, own)), {
  maxLength: 4,
});

const words = fc.string({ unit: "grapheme", maxLength: 12 });
const records = fc.record(
  {
    on: fc.constantFrom("y", "n"),
    items: fc.array(fc.record({}), { maxLength: 3 }),
    a: words,
    b: words,
    link: fc.webUrl({ withQueryParameters: true }),
  },
  { requiredKeys: [] },
);

/** Every collection with an id of its own. */
function withIds(components: object[]): object[] {
  let count = 0;
  const text = JSON.stringify(components).replaceAll(
    '{"path":"root.items"}',
    () => `{"path":"root.items","collectionId":"c${count++}"}`,
  );
  const list: object[] = JSON.parse(text);
  return list;
}

describe("a random email", () => {
  it("is the same whether it is merged after compiling MJML or before it", () => {
    fc.assert(
      fc.property(body, records, (components, record) => {
        const program = email(withIds(components));
        const { merged, compiled } = renderBothWays(program, record);
        expect(merged.page).to.equal(compiled.page);
        expect(merged.page).not.to.match(/NaN(px|%)/);
      }),
      { numRuns: 60 },
    );
  });
});
