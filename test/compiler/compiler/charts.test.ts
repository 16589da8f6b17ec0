import { rejects, text } from "../support.js";

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
describe("a chart", () => {
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
