import { expect } from "chai";
import { describe, it } from "mocha";
import type { ProjectData } from "../../../../core/plugin-api/definition.js";
import {
  findSpan,
  keepIds,
  readJson,
} from "../../../../plugins/studio/app/src/editor/json/read-json.js";

const whole = (components: unknown) =>
  JSON.stringify({ schema: [], components }, null, 1);

describe("parsing a typed template", () => {
  const cases: [what: string, text: string, fault: string | null][] = [
    ["an empty text", "", "Line 1: a value is missing."],
    ["a missing comma", '{\n"a": 1\n"b": 2}', "Line 3: a comma is missing."],
    ["a list", "[]", "A template must be an object: { … }."],
    ["no components", '{"schema": []}', "“components” must be a list: [ … ]."],
    [
      "a component that is not an object",
      whole([1]),
      "A component must be an object: { … }.",
    ],
    [
      "an unknown type",
      whole([{ type: "container", components: [{ type: "boat" }] }]),
      "Unknown component type “boat”.",
    ],
    [
      "an else branch that is not a list",
      whole([{ type: "text", text: "", condition: { else: 1 } }]),
      "“else” must be a list: [ … ].",
    ],
    [
      "a header that is not a list",
      '{"schema": [], "components": [], "page": {"header": {}}}',
      "“header” must be a list: [ … ].",
    ],
    [
      "no syntax error for what only the checker rejects",
      whole([{ type: "text" }]),
      null,
    ],
  ];
  for (const [description, text, fault] of cases)
    it(`reports ${description}`, () => {
      expect(readJson(text).fault).to.equal(fault);
    });

  it("keeps the digits of numbers that JavaScript would round, as the API does", () => {
    const text = `{"schema": [], "components": [], "sample": {"id": 9007199254740993, "price": 12.5}}`;
    expect(readJson(text).definition?.sample).to.deep.equal({
      id: "9007199254740993",
      price: 12.5,
    });
  });

  it("gives a component without an id the previous id", () => {
    const components = [{ type: "text" as const, text: "A" }];
    const typed: ProjectData = { schema: [], components };
    const before: ProjectData = {
      schema: [],
      components: [{ type: "text", id: "a", text: "Before" }],
    };
    const ids = keepIds(typed, before).components.map(({ id }) => id);
    expect(ids).to.deep.equal(["a"]);
    const moved = {
      ...before,
      components: [...components, ...before.components],
    };
    const [first, second] = keepIds(moved, before).components;
    expect(second?.id).to.equal("a");
    expect(first?.id).to.be.a("string").and.not.equal("a");
  });
});

const text = JSON.stringify({
  styles: { "my.style [1]": { "font-size": "big", color: 'say "red"' } },
  components: [{ type: "text", text: "One" }],
});

describe("the position of a checker path in the JSON", () => {
  for (const [path, found] of [
    ["$.components[0].text", '"One"'],
    ['$.styles["my.style [1]"]["font-size"]', '"big"'],
    ['$.styles["my.style [1]"].color', String.raw`"say \"red\""`],
    ["$.components[0].style", '{"type":"text","text":"One"}'],
  ] as const)
    it(`is the value of ${path} or the nearest one around it`, () => {
      const { from, to } = findSpan(text, path);
      expect(text.slice(from, to)).to.equal(found);
    });
});
