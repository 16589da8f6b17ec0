import { expect } from "chai";
import { describe, it } from "mocha";
import { evaluateSample } from "../../../core/compiler/index.js";
import { createDefinition, OPTIONS } from "../support.js";

const getFacts = (components: object[], sample: unknown) =>
  evaluateSample(createDefinition({ components }), sample, OPTIONS.now);

const line = (id: string) => ({
  id,
  type: "text",
  text: "{{ line.sum }}",
  collection: { collectionId: "line", path: "root.lines" },
});

const isLarge = {
  combinator: "and",
  rules: [{ field: "line.sum", operator: ">", value: 10 }],
};

describe("the rows of a sample", () => {
  it("are what a collection prints after its first element, in print order", () => {
    const sorted = {
      id: "line",
      type: "container",
      collection: {
        collectionId: "line",
        path: "root.lines",
        sort: [{ field: "sum", direction: "DESC", type: "Number" }],
        offset: 1,
      },
      components: [
        { id: "sum", type: "text", text: "{{ line.sum }}", condition: isLarge },
      ],
    };
    const lines = [{ sum: 2 }, { sum: 30 }, { sum: 20 }, { sum: 1 }];
    const { counts, rows, values } = getFacts([sorted], { lines });
    expect(counts.get("line")).to.equal(3);
    expect(values.get("sum")).to.deep.equal({ "line.sum": "20" });
    const shown = rows.get("line")?.map((row) => ({
      value: row.values["sum"]?.["line.sum"],
      isLarge: row.conditions["sum"],
    }));
    expect(shown).to.deep.equal([
      { value: "2", isLarge: false },
      { value: "1", isLarge: false },
    ]);
  });

  it("contain the rows of lists inside them", () => {
    const group = {
      id: "group",
      type: "container",
      collection: {
        collectionId: "kind",
        path: "root.lines",
        groupBy: { field: "kind" },
      },
      components: [
        {
          id: "item",
          type: "text",
          text: "{{ one.name }}",
          collection: { collectionId: "one", path: "group.items" },
        },
      ],
    };
    const lines = [
      { kind: "a", name: "1" },
      { kind: "b", name: "2" },
      { kind: "b", name: "3" },
    ];
    const { rows } = getFacts([group], { lines });
    const [second, ...others] = rows.get("group") ?? [];
    expect(others).to.deep.equal([]);
    expect(rows.has("item")).to.equal(false);
    expect(second?.counts).to.deep.equal({ item: 2 });
    expect(second?.values["item"]).to.deep.equal({ "one.name": "2" });
    expect(
      second?.rows["item"]?.map(({ values }) => values["item"]),
    ).to.deep.equal([{ "one.name": "3" }]);
  });

  it("are at most 200 altogether, and count what they leave out", () => {
    const lines = Array.from({ length: 150 }, (_none, sum) => ({ sum }));
    const { counts, rows, values } = getFacts([line("a"), line("b")], {
      lines,
    });
    expect(rows.get("a")).to.have.length(149);
    expect(rows.get("b")).to.have.length(51);
    expect(counts.get("b")).to.equal(150);
    expect(values.get("b")).to.deep.equal({ "line.sum": "0" });
  });
});

describe("the markup of a sample", () => {
  it("is the HTML that is printed", () => {
    const components = [
      { id: "md", type: "markdown", value: "Dear *{{ root.name }}*\n\n- one" },
      { id: "html", type: "html", value: "<b>x</b><script>1</script>" },
      { id: "text", type: "text", text: "{{ root.note | markdown }}" },
    ];
    const { markup } = getFacts(components, { name: "Ada", note: "**b**" });
    expect(Object.values(markup.get("md") ?? {})).to.deep.equal([
      "<p>Dear <em>Ada</em></p>\n<ul>\n<li>one</li>\n</ul>\n",
    ]);
    expect(Object.values(markup.get("html") ?? {})).to.deep.equal(["<b>x</b>"]);
    expect(markup.get("text")).to.deep.equal({
      "root.note | markdown": "<strong>b</strong>",
    });
  });
});
