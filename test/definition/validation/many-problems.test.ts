import { expect } from "chai";
import { checkDefinition } from "../../../core/definition/index.js";
import { text } from "../../compiler/support.js";

function check(definition: object) {
  return checkDefinition(
    { schema: [], components: [], ...definition },
    "document",
  );
}

function fields(names: readonly string[]): object[] {
  return [
    { id: "root", fields: names.map((name) => ({ name, type: "String" })) },
  ];
}

function numbered(count: number, name: (index: number) => string): string[] {
  return Array.from({ length: count }, (_, index) => name(index));
}

describe("a definition with very many names or problems", () => {
  it("suggests the field that was meant among 20,000 of them", () => {
    const schema = fields([
      ...numbered(20_000, (index) => `customer_field_${index}`),
      "deliveryAddress",
    ]);
    const { warnings } = check({
      schema,
      components: [
        text("{{ delivreyAddress }}"),
        text("{{ root.DeliveryAdress }}"),
        text("{{ custmer_field_12345 }}"),
        text("{{ root.customer_feild_777 }}"),
      ],
    });
    expect(warnings.map(({ hint }) => hint)).to.eql([
      "Did you mean deliveryAddress?",
      "Did you mean deliveryAddress?",
      "Did you mean customer_field_12345?",
      "Did you mean customer_field_777?",
    ]);
  });

  it("suggests nothing for a name that is unlike all 20,000", () => {
    const schema = fields(numbered(20_000, (index) => `customer${index}`));
    const { warnings } = check({ schema, components: [text("{{ zzyzx }}")] });
    expect(warnings).to.have.length(1);
    expect(warnings[0]).not.to.have.property("hint");
  });

  it("suggests the collection and the style that were meant among thousands", () => {
    const ids = numbered(3000, (index) => `table_${index}`);
    const { problems } = check({
      schema: [
        {
          id: "root",
          fields: [{ name: "a", type: "OneToOneLink", target: "tabel_2900" }],
        },
        ...ids.map((id) => ({ id, fields: [] })),
      ],
      styles: Object.fromEntries(
        numbered(3000, (index) => `style_${index}`).map((name) => [
          name,
          { color: "red" },
        ]),
      ),
      components: [{ ...text("a"), class: "stlye_2900" }],
    });
    expect(problems.map(({ hint }) => hint)).to.eql([
      'Did you mean "table_2900"?',
      'Did you mean "style_2900"?',
    ]);
  });

  it("lists 999 of 8,000 warnings and says how many more there are", () => {
    const schema = fields(numbered(20_000, (index) => `field_${index}`));
    const texts = numbered(
      4000,
      (index) => `{{ feild_${index} }} {{ root.fild_${index} }}`,
    );
    const { definition, warnings } = check({
      schema,
      components: texts.map((one) => text(one)),
    });
    expect(definition).not.to.equal(null);
    expect(warnings).to.have.length(1000);
    expect(warnings[0]?.hint).to.equal("Did you mean field_0?");
    expect(warnings.at(-1)).to.eql({
      path: "$",
      code: "more_warnings",
      message: "There are 7001 more warnings, which are not listed.",
      hint: "Fix those that are listed first.",
    });
  });

  it("lists 999 of 150,000 unknown properties", () => {
    const keys = numbered(150_000, (index) => `a${index}`);
    const { problems } = check(Object.fromEntries(keys.map((key) => [key, 1])));
    expect(problems).to.have.length(1000);
    expect(problems[0]?.path).to.equal("$.a0");
    expect(problems.at(-1)?.message).to.equal(
      "There are at least 149001 more problems, which are not listed.",
    );
  });

  it("cuts texts that repeat what was written", () => {
    const { problems } = check({
      [`a${"b".repeat(900)}`]: 1,
      c: "d".repeat(1e6),
    });
    for (const { path, message } of problems)
      expect(path.length + message.length).to.be.below(2000);
  });
});
