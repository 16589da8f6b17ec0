import { expect } from "chai";
import { PlatenError } from "../../../core/plugin-api/index.js";
import { compileTemplate } from "../../../core/compiler/index.js";
import { accepted, OPTIONS, text } from "../support.js";

const LIMITS = { iterations: 1000, htmlBytes: 100_000 };

/** A list that counts how often its elements are looked at. */
function watched(count: number) {
  let reads = 0;
  const list = Array.from({ length: count }, () => ({ a: "x" }));
  const handler: ProxyHandler<typeof list> = {
    get(target, key, receiver) {
      if (typeof key === "string" && /^\d+$/.test(key)) reads += 1;
      return Reflect.get(target, key, receiver);
    },
  };
  return { list: new Proxy(list, handler), reads: () => reads };
}

function nested(depth: number, inside: object): object {
  const collection = { collectionId: `c${depth}`, path: "root.list" };
  const components = [depth === 1 ? inside : nested(depth - 1, inside)];
  return { type: "container", collection, components };
}

/** The message of the refusal, and how often the list's elements were read before it. */
function rejection(components: object[], count: number, more: object = {}) {
  const program = compileTemplate(accepted(components), "document");
  const { list, reads } = watched(count);
  const data = { list, ...more };
  expect(() => program.merge(data, { ...OPTIONS, limits: LIMITS }))
    .to.throw(PlatenError)
    .with.property("code", "merge_failed");
  return reads();
}

describe("the work of a merge", () => {
  it("is limited for loops of ten billion iterations", () => {
    const reads = rejection([nested(5, text("{{ c1.a }}"))], 100);
    expect(reads).to.be.below(100 + 20 * LIMITS.iterations);
  });

  it("is limited for sums of sums", () => {
    const sum = "{{ SUM(root.list, SUM(root.list, SUM(root.list, a))) }}";
    const reads = rejection([text(sum)], 100);
    expect(reads).to.be.below(100 + 20 * LIMITS.iterations);
  });

  it("is limited for filters, sorts and groups inside of loops", () => {
    const path = "root.list";
    const filter = {
      combinator: "and",
      rules: [{ field: "a", operator: "=", value: "none" }],
    };
    const sort = [{ field: "a", direction: "ASC", type: "String" }];
    for (const work of [{ filter }, { sort }, { groupBy: { field: "a" } }]) {
      const collection = { collectionId: "inner", path, ...work };
      const reads = rejection([nested(2, text("x", { collection }))], 100);
      expect(reads).to.be.below(100 + 20 * LIMITS.iterations);
    }
  });

  it("is limited for long output", () => {
    rejection([nested(1, text("{{ root.long }}"))], 200, {
      long: "x".repeat(999),
    });
    rejection([nested(1, text("y".repeat(999)))], 900);
  });

  it("is limited for texts that become long, and for their parts", () => {
    const long = `"${"x".repeat(900)}" | replace("x", "${"y".repeat(900)}")`;
    for (const filter of ['split("")', 'split("y")', 'replace("y", "z")'])
      rejection([text(`{{ ${long} | ${filter} | slice(0, 1) }}`)], 1);
  });

  it("is limited for texts that are made again and again", () => {
    const long = "y".repeat(1800);
    const values = { tags: Array(9).fill("a") };
    for (const value of [
      `"aaaaaaaaa" | replace("a", "${long}")`,
      `JOIN(root.tags, "${long}")`,
      `"${long}" ~ "${long}" ~ "${long.slice(0, 100)}"`,
    ])
      rejection([nested(1, text(`{{ ${value} | truncate(1) }}`))], 200, values);
  });

  it("is limited for the characters of texts with accents of their own", () => {
    const accents = "e\u0301".repeat(400);
    for (const value of ["LEN(root.accents)", "root.accents | slice(0, 1)"])
      rejection([nested(1, text(`{{ ${value} }}`))], 200, { accents });
  });

  it("counts long texts, markup, codes and charts as more than one iteration", () => {
    const long = "x".repeat(20_000);
    const values = Array.from({ length: 100 }, (_, a) => ({ a }));
    const chart = {
      type: "chart",
      chart: "bar",
      data: "root.values",
      label: "a",
      series: [{ field: "a" }],
    };
    for (const component of [
      text("{{ root.long | upper | truncate(1) }}"),
      { type: "html", value: "{{ root.long }}" },
      { type: "markdown", value: "{{ root.long }}" },
      { type: "qrcode", value: "{{ root.list.0.a }}" },
      { type: "barcode", symbology: "code128", value: "abc" },
      chart,
    ])
      rejection([nested(1, component)], 100, { long, values });
  });

  it("is limited for markup that opens elements and never closes them", () => {
    const value = "{{ root.open }}";
    for (const type of ["html", "markdown"]) {
      const program = compileTemplate(accepted([{ type, value }]), "document");
      for (const one of ["<b>", "<b></x>", "<b><!--</b>-->", '<b a="</b>">']) {
        const open = one.repeat(12_000);
        const { html } = program.merge({ open }, OPTIONS);
        expect(html).to.contain("&lt;b").and.not.contain("<b>");
      }
    }
  });

  it("leaves long markup with closed elements unchanged", () => {
    const program = compileTemplate(
      accepted([{ type: "html", value: "{{ root.long }}" }]),
      "document",
    );
    const long = "<ul><li>a<br>b<li>c</ul><p>d<p>e".repeat(3000);
    const { html } = program.merge({ long }, OPTIONS);
    expect(html).to.contain("<li>c</li>").and.not.contain("&lt;");
  });
});
