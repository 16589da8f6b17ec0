import { expect } from "chai";
import {
  AGGREGATE_USAGES,
  FILTER_USAGES,
  FUNCTION_USAGES,
} from "../../../core/definition/expressions/index.js";
import { getDesignFacts } from "../../../core/compiler/index.js";
import { merged } from "../support.js";

const data = { lines: [{ amount: 20 }, { amount: 30 }] };
const now = new Date("2026-07-31T10:00:00Z");

const printed = (expression: string) => {
  const text = `<<{{ ${expression} }}>>`;
  const { html } = merged([{ type: "text", text }], data, { now });
  const [, shown = ""] = /&lt;&lt;(.*)&gt;&gt;/s.exec(html) ?? [];
  return shown.replaceAll(/<[^>]+>/g, "");
};

describe("the documented words of the expression language", () => {
  const { functions, filters } = getDesignFacts();

  it("are complete and written as they are used", () => {
    const usages = [...functions, ...filters].map(({ usage }) => usage);
    expect(usages).to.have.members([
      ...AGGREGATE_USAGES,
      ...FUNCTION_USAGES,
      ...FILTER_USAGES,
    ]);
  });

  for (const { name, example, result } of [...functions, ...filters])
    it(`print what the example of ${name} says`, () => {
      expect(printed(example)).to.equal(result);
    });
});
