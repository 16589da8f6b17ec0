import { expect } from "chai";
import { merged, rejects, text } from "../support.js";

const chart = (more: object) => [
  {
    type: "chart",
    chart: "bar",
    data: "root.sales",
    label: "month",
    series: [{ field: "amount", label: "Sales" }],
    ...more,
  },
];
const data = {
  sales: [
    { month: "Jan", amount: 3, region: "N" },
    { month: "Feb", amount: "4.5", region: "N" },
    { month: "Jan", amount: 2, region: "S" },
  ],
};

function labels(written: object[]): string[] {
  const { html } = merged(written, data);
  return [...html.matchAll(/<text[^>]*>(Jan|Feb|N|S)<\/text>/g)].map(
    ([, label = ""]) => label,
  );
}

function column(width: string): object {
  return { type: "column", width, components: chart({}) };
}

describe("a chart", () => {
  it("has a mark for each element of its data", () => {
    expect(labels(chart({}))).to.eql(["Jan", "Feb", "Jan"]);
  });

  it("has a mark for each label when a series is an aggregate", () => {
    const series = [{ field: "amount", aggregate: "SUM" }];
    expect(labels(chart({ series }))).to.eql(["Jan", "Feb"]);
    expect(
      labels(
        chart({
          label: "region",
          series: [{ field: "x", aggregate: "COUNT" }],
        }),
      ),
    ).to.eql(["N", "S"]);
  });

  it("is as wide as its column", () => {
    const columns = {
      type: "columns",
      gap: "0",
      components: [column("25%"), column("75%")],
    };
    const { html } = merged(
      { page: { margin: "0" }, components: [columns] },
      data,
    );
    const widths = [...html.matchAll(/<svg [^>]*?width="([\d.]+)/g)].map(
      ([, width]) => Math.round(Number(width)),
    );
    expect(widths).to.eql([198, 595]);
  });

  it("is rejected when its data, label or series cannot be read", () => {
    rejects(chart({ data: "line.sales" }), "$.components[0].data", "line");
    rejects(chart({ label: "a +" }), "$.components[0].label", "missing");
    rejects(
      chart({ series: [{ field: "SUMM(a, b)" }] }),
      "$.components[0].series[0].field",
      "SUM",
    );
    rejects([text("{{ item.month }}")], "$.components[0].text", "item");
  });
});
