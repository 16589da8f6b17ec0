import { expect } from "chai";
import { describe, it } from "mocha";
import { checkDefinition } from "../../../core/definition/index.js";
import { FILTER_NAMES } from "../../../core/definition/expressions/filters.js";

function check(text: string) {
  const written = {
    schema: [
      {
        id: "root",
        fields: [
          { name: "x", type: "String" },
          { name: "due", type: "Date" },
          { name: "lines", type: "OneToManyLink", target: "lines" },
        ],
      },
      { id: "lines", fields: [{ name: "v", type: "Number" }] },
    ],
    components: [{ type: "text", text }],
  };
  const { problems, warnings } = checkDefinition(written, "document");
  return { problems, warnings };
}

/** An expression of another template language, and a part of the hint that shows how it is written here. */
const errors: [text: string, hint: string][] = [
  [
    "{{#if root.x}}",
    '"rules": [{ "field": "root.x", "operator": "notEmpty" }]',
  ],
  ["{{~#if root.x~}}", '"field": "root.x"'],
  ["{{#unless root.x}}", '"operator": "empty"'],
  ["{{ if root.x }}", '{{ "yes" if root.x else "no" }}'],
  ["{{/if}}", "Remove it."],
  ["{{ endif }}", "Remove it."],
  ["{{else}}", '"else": [ … ]'],
  ["{{else if root.x}}", '"else": [ … ]'],
  [
    "{{#each root.lines}}",
    '"collection": { "collectionId": "item", "path": "root.lines" }',
  ],
  ["{{#each lines}}", '"path": "root.lines"'],
  ["{{ for line in root.lines }}", '"collectionId": "line"'],
  ["{{#lines}}", '"path": "root.lines"'],
  ["{{^root.x}}", '"operator": "empty"'],
  ["{{> footer}}", "page.header or page.footer"],
  ["{{{ root.x }}}", "{{ root.x | markdown }}"],
  ["{{& root.x}}", "{{ root.x }}"],
  ["{{! a note }}", "x-note"],
  ["{{!-- a note --}}", "x-note"],
  ["{{@index}}", "item.index"],
  ["{{../x}}", "{{ root.x }}"],
  ["{{ .x }}", "{{ root.x }}"],
  ["{{this.x}}", "root.x"],
  ["{{ loop.index }}", "item.number"],
  ["{{- root.x -}}", "{{ root.x }}"],
  ["{{uppercase root.x}}", "{{ root.x | upper }}"],
  ["{{ root.x | money }}", "Did you mean currency?"],
  ["{{ root.x | uppercase }}", "Did you mean upper?"],
  ["{{ root.x | dateFormat }}", "Did you mean date?"],
  ['{{ root.x | money: "EUR" }}', '{{ root.x | currency("EUR") }}'],
  ['{{ root.due | date: "%Y" }}', '{{ root.due | date("yyyy") }}'],
  ['{{ root.due | date("%d.%m.%Y") }}', 'Write "dd.MM.yyyy".'],
  ["{{ root.due | date('Y-m-d') }}", 'Write "yyyy-MM-dd".'],
  ['{{ root.lines | join: ", " }}', "JOIN("],
  ["{{ root.lines.length }}", "COUNT(root.lines)"],
  ["{{ root.x ? 1 : 2 }}", "{{ 1 if root.x else 2 }}"],
  ["{{ root.x && root.due }}", "{{ root.x and root.due }}"],
  ["{{ root.x || root.due }}", "{{ root.x or root.due }}"],
  ["{{ !root.x }}", "{{ not root.x }}"],
  ["{{ root.x === 1 }}", "{{ root.x = 1 }}"],
  [
    '{{ root.x === "a" && !root.due ? "y" : "n" }}',
    '{{ "y" if root.x = "a" and not root.due else "n" }}',
  ],
  ['{{ root.x ?? "-" }}', '{{ COALESCE(root.x, "-") }}'],
  ["{{ root.x.toFixed(2) }}", "{{ root.x | number(2) }}"],
  ["{{ root.x.toUpperCase() }}", "{{ root.x | upper }}"],
  ["{{ root.lines[i].v }}", '"collectionId": "item"'],
  ["{{ d.x }}", "root.x"],
  ["{{ d.x:formatN(2) }}", "{{ root.x | number(2) }}"],
  ["{{ IF(root.x, 1, 2) }}", 'Write "yes" if root.paid else "no".'],
  ["{{ UPPER(root.x) }}", "| upper }}"],
  ["{{ new Date() }}", "TODAY()"],
];

/** Text that another template language would replace, and a part of the hint. */
const warnings: [text: string, hint: string][] = [
  ["{% if root.x %}", '"field": "root.x"'],
  ["{% for line in root.lines %}", '"collectionId": "line"'],
  ["{%- endif -%}", "Remove it."],
  ["{# a note #}", "x-"],
  ["{d.x}", "{{ root.x }}"],
  ["{#lines}", '"path": "root.lines"'],
  ["{root.x}", "{{ root.x }}"],
  ["[[ root.x ]]", "{{ root.x }}"],
  ["<%= root.x %>", "{{ root.x }}"],
  ["${root.x}", "{{ root.x }}"],
  ["${root.x.toFixed(2)}", "{{ root.x | number(2) }}"],
  ["#{root.x}", "{{ root.x }}"],
];

describe("the syntax of another template language", () => {
  for (const [text, hint] of errors)
    it(`is refused in braces with the way it is written here: ${text}`, () => {
      const { problems } = check(text);
      const [first] = problems;
      expect(problems.map(({ path }) => path)).to.deep.equal([
        "$.components[0].text",
      ]);
      expect(first?.hint ?? "").to.include(hint);
    });

  for (const [text, hint] of warnings)
    it(`is a warning outside of braces, with the way it is written here: ${text}`, () => {
      const found = check(`Total ${text} of {{ root.x }}`);
      expect(found.problems).to.deep.equal([]);
      expect(found.warnings).to.have.length(1);
      expect(found.warnings[0]).to.include({
        path: "$.components[0].text",
        code: "foreign_syntax",
      });
      expect(found.warnings[0]?.message).to.include("is printed as it is");
      expect(found.warnings[0]?.hint).to.include(hint);
    });

  it("is explained among the problems of a definition that is refused", () => {
    const loop = check("{% for x in root.lines %}{{ x.v }}{% endfor %}");
    expect(loop.warnings).to.deep.equal([]);
    expect(loop.problems.map(({ code }) => code)).to.have.members([
      "unknown_scope",
      "foreign_syntax",
      "foreign_syntax",
    ]);
    expect(loop.problems[0]?.message).to.equal(
      '"{% for x in root.lines %}" is printed as it is.',
    );
    expect(loop.problems[0]?.hint).to.include(
      '"collection": { "collectionId": "x", "path": "root.lines" }',
    );
    for (const [text, hint] of [
      ["{% if root.x %}{{ y.v }}{% endif %}", '"field": "root.x"'],
      ["{% assign t = root.x %}{{ t.v }}", "Write the expression"],
    ] as const)
      expect(check(text).problems[0]?.hint, text).to.include(hint);
  });

  it("is not suspected in ordinary text", () => {
    for (const text of [
      "Costs $5 {net}",
      "Page {page} of {pages}",
      "[[1]] {1} ${100} 100 % <b> { } {}",
      "\\{{ if }}",
      "${{ root.x }}",
      "{ {{ root.x }} }",
      "a < b % c > d",
      'JSON: {"a": [1, {"b": 2}]}',
    ])
      expect(check(text), text).to.deep.equal({ problems: [], warnings: [] });
  });

  it("takes a hint's own expression", () => {
    const written = errors.flatMap(([text]) =>
      [...(check(text).problems[0]?.hint ?? "").matchAll(/\{\{[^}]+\}\}/g)].map(
        ([expression]) => expression,
      ),
    );
    expect(written).to.have.length.greaterThan(20);
    for (const expression of written) {
      const codes = check(expression).problems.map(({ code }) => code);
      expect(
        codes.filter((code) => code !== "unknown_scope"),
        expression,
      )
        .to //
        .deep.equal([]);
    }
  });

  it("is translated to filters that exist", () => {
    const names = FILTER_NAMES.filter((name) =>
      check(`{{ root.x | ${name}: 1 }}`).problems[0]?.hint?.includes(
        `| ${name}(1)`,
      ),
    );
    expect(names).to.deep.equal(FILTER_NAMES);
  });

  it("is explained in time that grows with the length of the text", () => {
    for (const part of ["{{ a ? ", "${a.", "{% ", "a && ", "'", "[[ a", "{d.a"])
      check(`${part.repeat(600)} }}`);
  });
});
