import { expect } from "chai";
import { Decimal } from "decimal.js";
import {
  constantText,
  isConstantText,
} from "../../../core/definition/expressions/index.js";
import { fc } from "../../support/properties.js";
import { itPrints, prints, printsEach, value } from "./vocabulary.js";

describe("operators", () => {
  itPrints([
    ["1 + 2 * 3", "7"],
    ["(1 + 2) * 3", "9"],
    ["10 - 4 - 3", "3"],
    ["7 % 4 + 1", "4"],
    ["12 / 4 / 3", "1"],
    ["-2 * -3", "6"],
    ["- - 4", "4"],
    ["+5", "5"],
    ["1 ~ 2 + 3", "15"],
    ["'a' ~ 'b' ~ null ~ 1", "ab1"],
    ["1 < 2", "true"],
    ["2 <= 1", "false"],
    ["2 <= 2", "true"],
    ["2 >= 2", "true"],
    ["2 < 2", "false"],
    ["2 > 2", "false"],
    ["1 = 1.0", "true"],
    ["1 == 2", "false"],
    ["1 != 2", "true"],
    ["not 1 = 2", "true"],
    ["not true or true", "true"],
    ["true or false and false", "true"],
    ["1 < 2 and 2 < 3", "true"],
    ["0 or 'zero'", "zero"],
    ["'a' and 'b'", "b"],
    ["'yes' if 1 > 2 else 'no'", "no"],
    ["'a' if false else 'b' if false else 'c'", "c"],
    ["'a' if true", "a"],
    ["'a' if false", ""],
    ["1 + 1 if true else 5", "2"],
    ["2 * 3 | number('0.00')", "6.00"],
    ["'a' if true else 'b' | upper", "A"],
    ["('a' | upper) ~ 'b'", "Ab"],
    ["true", "true"],
    ["null", ""],
    ["'it\\'s\\n'", "it's\n"],
  ]);

  it("ignore an empty operand in a sum and make a product with it empty", () => {
    expect(value("a + 2", { a: null })).to.equal("2");
    expect(value("2 - a", { a: "" })).to.equal("2");
    expect(value("a - 2", { a: null })).to.equal("-2");
    expect(value("a * 2", { a: null })).to.equal("");
  });
});

describe("functions", () => {
  const data = {
    name: "Ada 👩‍🚀",
    tags: ["b", "", "a", null],
    lines: [{ sku: "x" }, { sku: "y" }],
    price: "2.345",
    paid: "2024-01-31",
    at: "2024-03-30T12:00:00+01:00",
  };
  itPrints(
    [
      ["ROUND(2.345, 2)", "2.35"],
      ["ROUND(-2.5)", "-3"],
      ["ROUND(1.005, 2)", "1.01"],
      ["ROUND(price, 1)", "2.3"],
      ["ROUND(1250, -2)", "1300"],
      ["ABS(-2.5)", "2.5"],
      ["CEIL(2.1)", "3"],
      ["CEIL(-2.1)", "-2"],
      ["CEIL(2.101, 2)", "2.11"],
      ["FLOOR(2.9)", "2"],
      ["FLOOR(-2.1)", "-3"],
      ["LEN('abc')", "3"],
      ["LEN(root.lines)", "2"],
      ["LEN(root.none)", "0"],
      ["CONCAT('a', 1, null, true)", "a1true"],
      ["JOIN(root.tags)", "b, a"],
      ["JOIN(root.lines.sku, ' / ')", "x / y"],
      ["JOIN('one')", "one"],
      ["COALESCE(root.none, '', 0, 'x')", "0"],
      ["COALESCE(root.none)", ""],
      ["TODAY()", "2024-03-10"],
      ["NOW()", "2024-03-10T22:30:00.000Z"],
      ["DATE_ADD(paid, 1, 'month')", "2024-02-29"],
      ["DATE_ADD(paid, -1, 'days')", "2024-01-30"],
      ["DATE_ADD(paid, 2, 'Weeks')", "2024-02-14"],
      ["DATE_ADD(paid, 36, 'hours')", "2024-02-01T12:00:00.000Z"],
      ["DATE_ADD('no date', 1, 'day')", ""],
      ["DATE_ADD(paid, 9999999, 'years')", ""],
      ["DATE_DIFF('2024-03-01', paid)", "30"],
      ["DATE_DIFF(paid, '2024-03-01', 'days')", "-30"],
      ["DATE_DIFF('2024-03-01', paid, 'months')", "1"],
      ["DATE_DIFF('2026-01-30', paid, 'years')", "1"],
      ["DATE_DIFF('2023-02-28', '2023-01-31', 'months')", "1"],
      ["DATE_DIFF('2024-06-30', '2024-03-31', 'months')", "2"],
      ["DATE_DIFF('2024-03-30', '2024-02-29', 'months')", "1"],
      ["DATE_DIFF('2025-02-28', '2024-02-29', 'years')", "0"],
      ["DATE_DIFF('2024-03-01', '2024-03-14', 'weeks')", "-1"],
      ["DATE_ADD('2024-02-29', 1, 'year')", "2025-02-28"],
      ["DATE_ADD('2024-03-31', -1, 'months')", "2024-02-29"],
      ["DATE_DIFF('2024-02-29', '2024-03-30', 'months')", "0"],
      ["DATE_DIFF(paid, 'x')", ""],
    ],
    data,
  );
});

describe("an aggregate", () => {
  const data = {
    lines: [
      { amount: 0.1, qty: 2, date: "2024-05-02", name: "b", tax: { rate: 7 } },
      {
        amount: "0.2",
        qty: 3,
        date: "2023-01-01",
        name: "a",
        tax: { rate: 19 },
      },
      { amount: null, qty: 1, name: "" },
      { amount: "n/a" },
    ],
    orders: [
      { lines: [{ amount: 1 }, { amount: 2 }] },
      { lines: [{ amount: 4 }] },
      {},
    ],
    one: { amount: 5 },
  };
  itPrints(
    [
      ["SUM(root.lines, amount)", "0.3"],
      ['SUM(root.lines, "amount")', "0.3"],
      ["SUM(root.lines, tax.rate)", "26"],
      ["AVG(root.lines, amount)", "0.15"],
      ["MIN(root.lines, qty)", "1"],
      ["MAX(root.lines, qty)", "3"],
      ["MIN(root.lines, date)", "2023-01-01"],
      ["MAX(root.lines, date)", "2024-05-02"],
      ["MIN(root.lines, name)", "a"],
      ["COUNT(root.lines)", "4"],
      ["SUM(root.lines, amount * qty)", "0.8"],
      ["SUM(root.orders.lines, amount)", "7"],
      ["COUNT(root.orders.lines)", "3"],
      ["SUM(root.orders.lines.amount)", "7"],
      ["SUM(root.orders, lines.amount)", "7"],
      ["SUM(root.orders, 'lines.amount')", "7"],
      ["MAX(root.orders, lines.amount)", "4"],
      ["AVG(root.orders, lines.amount)", "2.33333333333333"],
      ["SUM(root.one, amount)", "5"],
      ["SUM(lines, amount)", "0.3"],
      ["SUM(root.none, amount)", "0"],
      ["COUNT(root.none)", "0"],
      ["AVG(root.none, amount)", ""],
      ["MAX(root.none, amount)", ""],
      ["SUM(root.lines, amount) * 2 | number('0.00')", "0.60"],
    ],
    data,
  );

  it("works from any scope on any collection in scope", () => {
    const orders = { collectionId: "order", path: "root.orders" };
    const text =
      "{{ SUM(order.lines, amount) }}/{{ SUM(root.orders.lines, amount) }}";
    expect(printsEach([orders], text, data)).to.eql(["3/7", "4/7", "0/7"]);
  });
});

describe("text filters", () => {
  const data = {
    name: "JOHN o'neil-smith",
    long: "The quick brown fox",
    family: "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧",
    card: "1234 5678 9012 3456",
  };
  itPrints(
    [
      ["name | upper", "JOHN O'NEIL-SMITH"],
      ["name | lower", "john o'neil-smith"],
      ["name | title", "John O'neil-Smith"],
      ["'i' | upper('tr-TR')", "İ"],
      ["long | truncate(9)", "The quick…"],
      ["long | truncate(10, '...')", "The quick..."],
      ["long | truncate(99)", "The quick brown fox"],
      ["family | truncate(2)", "👨‍👩‍👧👨‍👩‍👧…"],
      ["root.none | default('-')", "-"],
      ["'' | default('-')", "-"],
      ["0 | default('-')", "0"],
      ["root.none | default(1 + 1)", "2"],
      ["card | mask('**** **** **** ####')", "**** **** **** 3456"],
      ["'12345678' | mask('####-####')", "1234-5678"],
      ["'123456' | mask('####-####')", "1234-56"],
      ["'123456789' | mask('####-####')", "1234-56789"],
      ["'DE1234' | mask('## ##')", "DE 1234"],
      ["1 | ordinal", "1st"],
      ["22 | ordinal", "22nd"],
      ["113 | ordinal", "113th"],
      ["1 | ordinal('fr-FR')", "1er"],
      ["3 | ordinal('de-DE')", "3."],
      ["1.5 | ordinal", "1.5"],
      ["1234.56 | words", "one thousand two hundred thirty-four and 56/100"],
      ["0 | words", "zero"],
      ["-2 | words", "minus two"],
      ["21 | words('de-DE')", "einundzwanzig"],
      ["21.5 | words('fr-FR')", "vingt et un et 50/100"],
      ["21 | words('es-ES')", "veintiuno"],
      ["21 | words('xx')", "twenty-one"],
      ["'abc' | words", "abc"],
    ],
    data,
  );

  it("write amounts in words with the decimals of the currency", () => {
    expect(value("2.6 | words", {}, { currency: "JPY" })).to.equal("three");
    expect(value("2.5 | words", {}, { currency: "KWD" })).to.equal(
      "two and 500/1000",
    );
  });
});

describe("number, currency and percent", () => {
  const data = {
    n: 1234.5,
    text: "abc",
    exact: "12345678901234567890.125",
    unit: "JPY",
  };
  itPrints(
    [
      ["n | number", "1,234.5"],
      ["0.1 + 0.2 | number", "0.3"],
      ["n | number('0,0.00')", "1,234.50"],
      ["n | number('#,##0.00')", "1,234.50"],
      ["n | number('0')", "1235"],
      ["n | number('0,0')", "1,235"],
      ["n | number('0.0##')", "1234.5"],
      ["7 | number('000')", "007"],
      ["n | number(1)", "1,234.5"],
      ["0.125 | number('0.0%')", "12.5%"],
      ["1.005 | number('0.00')", "1.01"],
      ["-1.005 | number('0.00')", "-1.01"],
      ["2.5 | number('0')", "3"],
      ["-0.001 | number('0.00')", "0.00"],
      ["exact | number('0,0.00')", "12,345,678,901,234,567,890.13"],
      ["'1e3' | number", "1,000"],
      ["n | currency", "$1,234.50"],
      ["n | currency('EUR', 'de-DE')", "1.234,50\u00a0€"],
      ["n | currency(unit)", "¥1,235"],
      ["-n | currency", "-$1,234.50"],
      ["0.256 | percent", "25.6%"],
      ["0.256 | percent(0)", "26%"],
      ["0.256 | percent(1, 'de-DE')", "25,6\u00a0%"],
      ["text | number('0.00')", "abc"],
      ["text | currency", "abc"],
      ["n | currency(text ~ text)", "1234.5"],
      ["null | number('0.00')", ""],
      ["'' | currency", ""],
    ],
    data,
  );
});

describe("date", () => {
  const data = {
    day: "2024-02-29",
    at: "2024-02-29T13:05:09.250Z",
    ms: 1709211909250,
    digits: "1709211909250",
    odd: "29.02.2024",
    no: "2023-02-29",
    form: "dd/MM",
  };
  itPrints(
    [
      ["day | date", "Feb 29, 2024"],
      ["day | date('short')", "2/29/24"],
      ["day | date('medium')", "Feb 29, 2024"],
      ["day | date('long')", "February 29, 2024"],
      ["day | date('full')", "Thursday, February 29, 2024"],
      ["day | date('dd MMM yyyy')", "29 Feb 2024"],
      ["day | date('long', 'de-DE')", "29. Februar 2024"],
      ["day | date('EEEE d. MMMM', 'de-AT')", "Donnerstag 29. Februar"],
      ["at | date(\"yyyy-MM-dd'T'HH:mm:ss.SSS\")", "2024-02-29T13:05:09.250"],
      ["ms | date('HH:mm')", "13:05"],
      ["digits | date('HH:mm')", "13:05"],
      ["day | date(form)", "29/02"],
      ["odd | date", "29.02.2024"],
      ["no | date", "2023-02-29"],
      ["day | date(at)", "2024-02-29"],
      ["null | date", ""],
      ["day | date('PPP', 'xx-YY')", "February 29th, 2024"],
    ],
    data,
  );
});

const amount = fc
  .tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 6 }))
  .map(([digits, places]) => Number(`${digits}e-${places}`));

const exact = (result: Decimal) => result.toFixed().replace(/^-0$/, "0");

describe("arithmetic", () => {
  itPrints([
    ["0.1 + 0.2", "0.3"],
    ["1.1 * 1.1", "1.21"],
    ["0.3 - 0.1", "0.2"],
    ["1 / 3", "0.333333333333333"],
    ["1 / 3 * 3", "1"],
    ["10 % 0.3", "0.1"],
    ["1.005 * 1000", "1005"],
    ["9007199254740991 + 2", "9007199254740993"],
    ["'12345678901234567890.12' + 0.01", "12345678901234567890.13"],
    ["' 1.50 ' * 2", "3"],
    ["'1e3' + 1", "1001"],
    ["0.0000001 * 1", "0.0000001"],
    ["1 / 0", ""],
    ["'9e999' * 1", ""],
    ["'0x10' * 1", ""],
  ]);

  it("is exact for all amounts", () => {
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        const data = { a, b };
        const [left, right] = [new Decimal(a), new Decimal(b)];
        expect(value("a + b", data)).to.equal(exact(left.plus(right)));
        expect(value("a - b", data)).to.equal(exact(left.minus(right)));
        expect(value("a * b", data)).to.equal(exact(left.times(right)));
      }),
    );
  });

  it("sums exactly", () => {
    fc.assert(
      fc.property(fc.array(amount), (amounts) => {
        const total = amounts.reduce((a, b) => a.plus(b), new Decimal(0));
        const printed = value("SUM(root.amounts)", { amounts });
        expect(printed).to.equal(exact(total));
      }),
    );
  });
});

describe("a path", () => {
  itPrints(
    [
      ["root.name", "Ada"],
      ["root.größe", "4"],
      ["root.customer.address.city", "Bonn"],
      ["root.lines.0.sku", "A"],
      ["root.lines.0.parts.1.n", "2"],
      ["root.lines[1].sku", "B"],
      ["root.lines.sku", "A, B"],
      ["root.lines.parts.n", "1, 2"],
      ['root["Unit price"] * 2', "10"],
      ["root.if", "word"],
      ["root.customer.tags", "x, y"],
      ["root.customer", ""],
      ["root.name.length", ""],
      ["root.lines.length", ""],
    ],
    {
      name: "Ada",
      customer: { address: { city: "Bonn" }, tags: ["x", "y"] },
      lines: [{ sku: "A", parts: [{ n: 1 }, { n: 2 }] }, { sku: "B" }],
      "Unit price": 5,
      größe: 4,
      if: "word",
    },
  );
});

describe("literal text", () => {
  for (const [source, printed] of [
    ["Dear all,\n{ } }} {%  %} {# #}", "Dear all,\n{ } }} {%  %} {# #}"],
    ["a{{ 1 }}b{{2}}{{ 3 }}c", "a1b23c"],
    ["\\{{ root.a }} {{ 1 }}", "{{ root.a }} 1"],
    [`{{ "}}" ~ 'it"s' }}`, '}}it"s'],
  ] as const)
    it(`is printed unchanged around expressions: ${source}`, () => {
      expect(prints(source)).to.equal(printed);
    });

  it("is recognized as constant", () => {
    expect(isConstantText("plain")).to.equal(true);
    expect(isConstantText("\\{{ x")).to.equal(true);
    expect(isConstantText("{{ 1 }}")).to.equal(false);
    expect(constantText("a \\{{ b")).to.equal("a {{ b");
  });
});
