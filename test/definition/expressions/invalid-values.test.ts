import { expect } from "chai";
import type { DataCollection } from "../../../core/definition/schema/data-schema.js";
import { invalid, invalidValues, prints, value } from "./vocabulary.js";

const hint = (d: unknown) =>
  invalidValues("{{ root.d | date }}", { d })[0]?.hint;

const reported = (expression: string, data: object) =>
  invalid(`{{ ${expression} }}`, data);

describe("a value that is not a number", () => {
  const data = {
    n: "12,50",
    flag: true,
    list: [1, 2],
    object: {},
    ok: "12.50",
  };

  it("is reported with the true reason by arithmetic and number functions", () => {
    for (const expression of [
      "root.n * 2",
      "2 - root.n",
      "-root.n",
      "ROUND(root.n, 2)",
      "ABS(root.n)",
      "SUM(root.list) + root.n",
    ])
      expect(reported(expression, data), expression).to.eql([
        'root.n: the text "12,50"',
      ]);
    expect(invalidValues("{{ root.n * 2 }}", data)).to.eql([
      {
        path: "root.n",
        component: "$",
        code: "wrong_type",
        expected: "a number",
        found: 'the text "12,50"',
        message: 'root.n is the text "12,50", which is not a number.',
        hint: "Send a JSON number, with a point before the decimals and no separators, such as 1234.5.",
      },
    ]);
  });

  it("is reported by the filters of numbers, which print it unchanged", () => {
    for (const filter of [
      "currency",
      'currency("EUR", "de-DE")',
      "number",
      'number("0,0.00")',
      "number(2)",
      "percent",
      "words",
      "ordinal",
    ]) {
      const expression = `root.n | ${filter}`;
      expect(reported(expression, data)).to.eql(['root.n: the text "12,50"']);
      expect(value(expression, data)).to.equal("12,50");
    }
    expect(reported("root.flag | currency", data)).to.eql(["root.flag: true"]);
    expect(reported("root.list | currency", data)).to.eql([
      "root.list: an array",
    ]);
    expect(reported("root.object | number", data)).to.eql([
      "root.object: an object",
    ]);
    expect(reported('(root.n ~ "x") | number', data)).to.eql([
      '(root.n ~ "x"): the text "12,50x"',
    ]);
  });

  it("is reported by aggregates with its index, which leave it out", () => {
    const l = [{ v: "12,50" }, { v: 1 }, { v: "2" }];
    for (const name of ["SUM", "AVG", "MIN", "MAX"])
      expect(reported(`${name}(root.l, v)`, { l }), name).to.eql([
        'root.l[0].v: the text "12,50"',
      ]);
    expect(value("SUM(root.l, v)", { l })).to.equal("3");
    expect(reported("SUM(root.l, v * 2)", { l })).to.eql([
      'root.l[0].v: the text "12,50"',
    ]);
    expect(reported("SUM(root.l)", { l })).to.eql([
      "root.l[0]: an object",
      "root.l[1]: an object",
      "root.l[2]: an object",
    ]);
    expect(reported("SUM(root.a.b.v)", { a: [{ b: l }] })).to.eql([
      'root.a[0].b[0].v: the text "12,50"',
    ]);
  });

  it("is reported where an aggregate needs a list", () => {
    expect(reported("SUM(root.l, v)", { l: "none" })).to.eql([
      'root.l: the text "none"',
    ]);
    expect(reported("COUNT(root.l)", { l: 5 })).to.eql(["root.l: 5"]);
  });

  it("is reported even where a missing value is expected", () => {
    expect(reported("root.n * 2 or 0", data)).to.eql([
      'root.n: the text "12,50"',
    ]);
    expect(reported("COALESCE(root.n | currency, 0)", data)).to.eql([
      'root.n: the text "12,50"',
    ]);
  });

  it("is not reported when it is empty, numeric, or a text of the template", () => {
    for (const n of [null, undefined, "", [], 0, "12.50", " 7 ", "1e3"]) {
      expect(reported("root.n | currency", { n })).to.eql([]);
      expect(reported("root.n * 2", { n })).to.eql([]);
    }
    expect(reported('root.n | default("n/a") | currency', {})).to.eql([]);
    expect(reported('(root.n if root.n else "free") | currency', {})).to.eql(
      [],
    );
    expect(reported('COALESCE(root.n, "-") | number', {})).to.eql([]);
    expect(reported('"2026" | number("0")', {})).to.eql([]);
  });

  it("may be a text or a date in MIN and MAX", () => {
    const texts = { l: [{ v: "b" }, { v: "a" }] };
    const dates = { l: [{ v: "2026-03-01" }, { v: "2026-02-01" }] };
    expect(reported("MIN(root.l, v)", texts)).to.eql([]);
    expect(reported("MAX(root.l, v) | date", dates)).to.eql([]);
    expect(reported("MAX(root.l, v) | currency", texts)).to.eql([
      'MAX(root.l, v): the text "b"',
    ]);
  });
});

describe("an argument of a filter from the data", () => {
  it("is reported when the filter does not accept it, and the value prints unformatted", () => {
    const data = { n: 5, good: "EUR", bad: "EURO", locale: "de_DE" };
    expect(reported("root.n | currency(root.good)", data)).to.eql([]);
    expect(reported("root.n | currency(root.bad)", data)).to.eql([
      'root.bad: the text "EURO"',
    ]);
    expect(value("root.n | currency(root.bad)", data)).to.equal("5");
    expect(reported("root.n | currency(root.good, root.locale)", data)).to.eql([
      'root.locale: the text "de_DE"',
    ]);
    expect(reported("root.n | number(root.bad)", data)).to.eql([
      'root.bad: the text "EURO"',
    ]);
  });
});

describe("a division by zero", () => {
  it("is reported with the divisor", () => {
    const [problem, ...others] = invalidValues("{{ root.a / root.b }}", {
      a: 1,
      b: 0,
    });
    expect(others).to.eql([]);
    expect(problem).to.include({
      path: "root.b",
      code: "division_by_zero",
      message: "root.b is 0, and nothing can be divided by 0.",
    });
    expect(
      reported("SUM(root.l, a / b)", {
        l: [
          { a: 1, b: 1 },
          { a: 1, b: 0 },
        ],
      }),
    ).to.eql(["root.l[1].b: 0"]);
  });
});

describe("a value that is not a date", () => {
  const expressions = [
    "root.d | date",
    'root.d | date("dd.MM.yyyy", "de-DE")',
    'DATE_ADD(root.d, 14, "days") | date',
    "DATE_DIFF(root.d, TODAY())",
    'DATE_DIFF("2026-01-01", root.d, "months")',
  ];

  it("is reported once by the date filter and the functions of dates", () => {
    const values = [
      ["31.12.2026", 'the text "31.12.2026"', "which is not a date"],
      ["2026-02-30", 'the text "2026-02-30"', "which is not a date"],
      ["2026-01-01T25:00:00Z", null, "which is not a date"],
      [1767225600, "1767225600", "which looks like seconds since 1970"],
      ["1767225600", null, "which looks like seconds since 1970"],
      ["20261231", null, "which is not a date"],
      [2026, "2026", "which is not a date"],
      [true, "true", "which is not a date"],
    ] as const;
    for (const [d, found, reason] of values)
      for (const expression of expressions) {
        const [problem, ...others] = invalidValues(`{{ ${expression} }}`, {
          d,
        });
        expect(others, expression).to.eql([]);
        expect(problem, expression).to.include({
          path: "root.d",
          code: "invalid_date",
          expected: "a date",
        });
        if (found !== null) expect(problem?.found).to.equal(found);
        expect(problem?.message).to.contain(reason);
      }
  });

  it("says how to write it", () => {
    expect(hint(1767225600)).to.contain("1767225600000");
    expect(hint("2026-02-30")).to.contain("no such day");
    for (const text of ["31.12.2026", "Day 2026-02-30"])
      expect(hint(text)).to.contain("ISO 8601");
  });

  it("is not reported when it is empty, a date, or epoch milliseconds", () => {
    for (const d of [
      null,
      undefined,
      "",
      "2026-12-31",
      "2026-12-31T12:00:00+02:00",
      1767225600000,
      "1767225600000",
    ])
      for (const expression of expressions)
        expect(reported(expression, { d }), expression).to.eql([]);
    expect(reported('root.d | default("open") | date', {})).to.eql([]);
  });

  it("is reported beside an amount of time that is not a number", () => {
    expect(
      reported('DATE_ADD(root.d, root.n, "days")', { d: "x", n: "y" }),
    ).to.have.members(['root.d: the text "x"', 'root.n: the text "y"']);
  });
});

describe("a value whose declared type the check of the data reports", () => {
  const schema: DataCollection[] = [
    {
      id: "root",
      fields: [
        { name: "n", type: "Number" },
        { name: "d", type: "Date" },
        { name: "s", type: "String" },
        { name: "lines", type: "OneToManyLink", target: "lines" },
      ],
    },
    { id: "lines", fields: [{ name: "v", type: "Number" }] },
  ];
  const check = (expression: string, data: object) =>
    invalid(`{{ ${expression} }}`, data, { schema });

  it("is not reported a second time", () => {
    const data = {
      n: "12,50",
      d: "31.12.2026",
      lines: [{ v: "1,5" }, { v: "2,5" }],
    };
    for (const expression of [
      "root.n * 2",
      "root.n | currency",
      "root.n | default(0) | currency",
      "(root.n if true else 1) | currency",
      "root.d | date",
      'DATE_ADD(root.d, 1, "days")',
      "SUM(root.lines, v)",
      "SUM(root.lines.v)",
      "SUM(root.lines, v * 2)",
      "MAX(root.lines, v) | currency",
    ])
      expect(check(expression, data), expression).to.eql([]);
    expect(check("COUNT(root.lines)", { lines: "none" })).to.eql([]);
  });

  it("is reported when it fits its declaration but not its use", () => {
    expect(check("root.s | currency", { s: "12,50" })).to.eql([
      'root.s: the text "12,50"',
    ]);
    expect(check("root.n | date", { n: 1767225600 })).to.eql([
      "root.n: 1767225600",
    ]);
    expect(check("root.d | currency", { d: "2026-12-31" })).to.eql([
      'root.d: the text "2026-12-31"',
    ]);
    expect(check("root.lines.v | currency", { lines: [{ v: 1 }] })).to.eql([
      "root.lines.v: an array",
    ]);
    expect(check("SUM(root.lines)", { lines: [{ v: 1 }] })).to.eql([
      "root.lines[0]: an object",
    ]);
  });
});

describe("a valid value", () => {
  it("prints as before", () => {
    const data = { n: 1234.5, d: "2026-12-31", l: [{ v: 1 }, { v: 2.5 }] };
    expect(
      prints(
        '{{ root.n | currency }} {{ root.d | date("yyyy") }} {{ SUM(root.l, v) }}',
        data,
      ),
    ).to.equal("$1,234.50 2026 3.5");
  });
});
