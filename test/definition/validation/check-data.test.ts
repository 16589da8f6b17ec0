import { expect } from "chai";
import {
  compileDataChecker,
  type DataCheckOptions,
  type ProjectData,
} from "../../../core/definition/index.js";

const schema: ProjectData["schema"] = [
  {
    id: "root",
    fields: [
      { name: "number", type: "String", required: true },
      { name: "issuedOn", type: "Date" },
      { name: "total", type: "Number" },
      { name: "customer", type: "OneToOneLink", target: "customers" },
      { name: "lines", type: "OneToManyLink", target: "lines" },
      { name: "Unit price", type: "Number", allowNumericStrings: true },
    ],
  },
  {
    id: "customers",
    fields: [{ name: "name", type: "String", required: true }],
  },
  {
    id: "lines",
    fields: [
      { name: "price", type: "Number", required: true },
      { name: "parts", type: "OneToManyLink", target: "lines" },
    ],
  },
];

function check(data: unknown, options?: DataCheckOptions) {
  return compileDataChecker(schema)(data, options);
}

function findOne(data: object, options?: DataCheckOptions) {
  const problems = check({ number: "1", ...data }, options);
  expect(problems, JSON.stringify(problems)).to.have.length(1);
  return problems[0];
}

describe("The data of a record", () => {
  it("is valid when every declared field has its type", () => {
    const data = {
      number: "2026-01",
      issuedOn: "2026-02-28",
      total: 12.5,
      customer: { name: "Ada" },
      lines: [{ price: 0, parts: [{ price: -1 }] }],
      "Unit price": "12.50",
      undeclared: {},
    };
    expect(check(data)).to.deep.equal([]);
  });

  it("may lack what is not required, as absent, null, an empty text or an empty list", () => {
    expect(
      check({ number: "1", issuedOn: null, total: "", lines: [] }),
    ).to.deep.equal([]);
  });

  it("lacks a required value where it is absent, null or empty", () => {
    for (const [data, found] of [
      [{}, "nothing"],
      [{ number: null }, "null"],
      [{ number: "" }, "an empty text"],
    ] as const)
      expect(check(data)).to.deep.equal([
        {
          path: "$.data.number",
          code: "missing_value",
          expected: "text",
          found,
          message: `The field is required: expected text, found ${found}.`,
        },
      ]);
  });

  it("lists all problems in one pass, each with its path", () => {
    const data = {
      total: "12,50",
      customer: [],
      lines: [{ price: 1 }, { v: 1 }, { price: 2, parts: [{ price: true }] }],
      "Unit price": "x",
    };
    expect(check(data).map(({ path, code }) => [path, code])).to.deep.equal([
      ["$.data.number", "missing_value"],
      ["$.data.total", "wrong_type"],
      ["$.data.lines[1].price", "missing_value"],
      ["$.data.lines[2].parts[0].price", "wrong_type"],
      ['$.data["Unit price"]', "wrong_type"],
    ]);
  });

  it("names the place of the record in the request", () => {
    expect(check({}, { path: "$.items[3].data" })[0]?.path).to.equal(
      "$.items[3].data.number",
    );
  });

  it("has no text where a number is declared, unless the field allows numeric texts", () => {
    expect(findOne({ total: "12,50" })).to.deep.include({
      path: "$.data.total",
      code: "wrong_type",
      expected: "a number",
      found: 'the text "12,50"',
    });
    expect(findOne({ total: "12.50" })?.hint).to.contain("allowNumericStrings");
    expect(
      check({ number: "1", total: "12.50" }, { allowNumericStrings: true }),
    ).to.deep.equal([]);
  });

  it("may write numbers with more than 15 digits as text", () => {
    expect(check({ number: "1", total: "12345678901234567890" })).to.deep.equal(
      [],
    );
  });

  it("has dates that exist, in ISO 8601 or epoch milliseconds", () => {
    for (const issuedOn of [
      "31.12.2026",
      "2026-02-30",
      1_798_675_200,
      "1798675200",
      true,
      {},
    ])
      expect(findOne({ issuedOn })).to.deep.include({
        path: "$.data.issuedOn",
        code: "invalid_date",
        expected: "a date",
      });
    for (const issuedOn of [1_798_675_200_000, "2026-12-31T10:00:00+01:00"])
      expect(check({ number: "1", issuedOn })).to.deep.equal([]);
  });

  it("has no dates that the calendar does not have, and a hint says so", () => {
    expect(findOne({ issuedOn: "2026-02-30" })?.hint).to.contain("calendar");
    expect(findOne({ issuedOn: "abcd-01-01" })?.code).to.equal("invalid_date");
  });

  it("has no formula that failed, where the request looks for them", () => {
    const options = { findFormulaErrors: true };
    for (const number of ["#REF!", "#DIV/0!", "Jan, ERR!", "NaN"]) {
      expect(check({ number })).to.deep.equal([]);
      expect(check({ number }, options)).to.have.length(1);
    }
    expect(check({ number: "#1 REF" }, options)).to.deep.equal([]);
  });

  it("has an object for a one-to-one link and an array of objects for a one-to-many link", () => {
    expect(findOne({ customer: [{ name: "Ada" }] })?.found).to.equal(
      "an array",
    );
    expect(findOne({ lines: { price: 1 } })?.expected).to.equal(
      "an array of objects",
    );
    expect(findOne({ lines: ["rec1"] })).to.deep.include({
      path: "$.data.lines[0]",
      expected: "an object",
    });
  });

  it("prints numbers, booleans and lists of texts as text, but no objects", () => {
    for (const number of [2026, true, ["a", "b"]])
      expect(check({ number })).to.deep.equal([]);
    expect(check({ number: {} })[0]?.expected).to.equal("text");
  });

  it("may have undeclared fields unless the request says otherwise", () => {
    const data = { lines: [{ price: 1, prise: 2 }] };
    expect(findOne(data, { unknownFields: "warn" })).to.deep.include({
      path: "$.data.lines[0].prise",
      code: "unknown_field",
    });
  });

  it("reports at most 1,000 problems", () => {
    const lines = Array.from({ length: 5000 }, () => ({}));
    expect(check({ number: "1", lines })).to.have.length(1000);
  });
});
