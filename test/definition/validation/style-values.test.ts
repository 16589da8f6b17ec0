import { expect } from "chai";
import { describe, it } from "mocha";
import { checkDefinition } from "../../../core/definition/index.js";

function getProblems(style: object) {
  const components = [{ type: "text", text: "a", style }];
  return checkDefinition({ schema: [], components }, "document").problems;
}

const getText = (style: object) =>
  getProblems(style).map(
    ({ path, message, hint }) => `${path}: ${message} ${hint}`,
  );

describe("a style value", () => {
  it("is refused when the browser would ignore it, with the values that are allowed", () => {
    expect(getText({ color: "blurple" })).to.deep.equal([
      '$.components[0].style.color: "blurple" is not a valid value of color. Did you mean "purple"? Write a color such as "#1a2b3c", "rgb(0 0 0 / 50%)" or "navy".',
    ]);
    expect(getText({ "text-align": "centre" })).to.deep.equal([
      '$.components[0].style["text-align"]: "centre" is not a valid value of text-align. Did you mean "center"? Write "start", "end", "left", "right", "center" or "justify".',
    ]);
  });

  it("is refused with the part that is wrong", () => {
    const [problem] = getProblems({ border: "1px solid blurple" });
    expect(problem?.message).to.equal(
      '"1px solid blurple" is not a valid value of border: "blurple".',
    );
  });

  it("may contain expressions, whose values are not known yet", () => {
    expect(
      getProblems({
        color: "{{ root.color }}",
        border: "1px solid {{ root.color }}",
      }),
    ).to.deep.equal([]);
  });

  it("is checked in named styles and in the styles of marks", () => {
    const { problems } = checkDefinition(
      {
        schema: [],
        styles: { muted: { color: "blurple" } },
        components: [
          {
            type: "text",
            text: [{ text: "a", marks: [{ style: { color: "blurple" } }] }],
          },
        ],
      },
      "document",
    );
    expect(problems.map(({ path }) => path)).to.deep.equal([
      "$.styles.muted.color",
      "$.components[0].text[0].marks[0].style.color",
    ]);
  });

  it("is checked where a color is a property of its own", () => {
    const { problems } = checkDefinition(
      {
        schema: [],
        email: { subject: "a" },
        components: [
          { type: "section", background: "blurple", components: [] },
        ],
      },
      "email",
    );
    expect(problems).to.have.length(1);
    expect(problems[0]?.path).to.equal("$.components[0].background");
    expect(problems[0]?.message).to.include('found "blurple"');
  });
});

describe("a name that does not exist", () => {
  it("is answered with at most three similar names", () => {
    const [colour] = getProblems({ colour: "red" });
    expect(colour?.hint).to.equal('Did you mean "color"?');
    for (const name of [
      "font-colour",
      "position",
      "z-index",
      "margn-lft",
      "x",
    ]) {
      const [problem] = getProblems({ [name]: "1" });
      const names = problem?.hint?.match(/"[\w-]+"/g) ?? [];
      expect(names, problem?.hint).to.have.length.within(1, 3);
    }
  });

  it("is answered the same way for types, properties, filters and functions", () => {
    const components = [
      { type: "paragraph", text: "a" },
      { type: "hexagon" },
      { type: "text", text: "{{ root.a | wobble }}", colour: "red" },
      { type: "text", text: "{{ WOBBLE(root.a) }}" },
    ];
    const { problems } = checkDefinition(
      { schema: [], components },
      "document",
    );
    expect(problems).to.have.length(5);
    expect(problems[0]?.hint).to.equal('Did you mean "text"?');
    for (const { hint = "" } of problems)
      expect(hint.split(/, | and | or /).length, hint).to.be.at.most(3);
  });
});
