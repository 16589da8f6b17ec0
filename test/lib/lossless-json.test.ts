import { expect } from "chai";
import { parseLosslessJson } from "../../core/plugin-api/index.js";
import { listWords } from "../support/rows.js";

const parsed = (number: string) => parseLosslessJson(`{ "n": [${number}] }`);

describe("a number in JSON", () => {
  for (const number of listWords(`
    9007199254740993 -9007199254740993 12345678901234567890 0.12345678901234567890 -0.1234567890123456789
    1234567890.123456789 1.00000000000000000001 123456789012345678901234567890.5
  `))
    it(`becomes a text of its digits where JavaScript would round it: ${number}`, () => {
      expect(parsed(number)).to.deep.equal({ n: [number] });
    });

  for (const [number, text] of [
    ["1.2345678901234567890e5", "123456.7890123456789"],
    ["1.2345678901234567890e25", "12345678901234567890000000"],
    ["-1.2345678901234567890E-3", "-0.001234567890123456789"],
    ["12345678901234567890e-20", "0.1234567890123456789"],
    ["12345678901234567890e-2", "123456789012345678.9"],
    ["12345678901234567891e1", "123456789012345678910"],
  ] as const)
    it(`has no exponent as a text: ${number}`, () => {
      expect(parsed(number)).to.deep.equal({ n: [text] });
    });

  for (const [number, text] of [
    ["1e400", "1e400"],
    ["-1.5E+999", "-1.5E+999"],
    ["2e309", `2${"0".repeat(309)}`],
  ] as const)
    it(`becomes a text where it is larger than JavaScript's numbers: ${number}`, () => {
      expect(parsed(number)).to.deep.equal({ n: [text] });
    });

  for (const number of listWords(`
    0 -1.50 1e3 123456789012345 9007199254740992 1234567890123456 0.30000000000000004 100000000000000000000
    123456789012345680000 0.10000000000000000000 0.00000000000000000000 1000000000000000e5 1e-7 5e-324
    1.7976931348623157e308
  `))
    it(`stays a number where JavaScript holds it exactly: ${number}`, () => {
      expect(parsed(number)).to.deep.equal({ n: [Number(number)] });
    });

  it("keeps its digits wherever it is in the text", () => {
    const long = "9007199254740993";
    expect(parseLosslessJson(long)).to.equal(long);
    expect(parseLosslessJson(`[1,${long},2]`)).to.eql([1, long, 2]);
    expect(parseLosslessJson(`{"a":${long},"b":-${long}}`)).to.eql({
      a: long,
      b: `-${long}`,
    });
    expect(parseLosslessJson(`{"a":\n${long}\t}`)).to.eql({ a: long });
  });

  it("changes nothing else beside it", () => {
    const value = {
      text: "n: 9007199254740993, 0.12345678901234567890",
      deep: [{ a: [null, true, { b: 1.5 }] }],
      "12345678901234567890": "a key",
    };
    const text = `{"n":9007199254740993,${JSON.stringify(value).slice(1)}`;
    expect(parseLosslessJson(text)).to.eql({ n: "9007199254740993", ...value });
    const proto = parseLosslessJson('{"__proto__": 9007199254740993}');
    expect(Object.keys(Object(proto))).to.eql(["__proto__"]);
  });

  it("may have a million digits", () => {
    const long = "1" + "0".repeat(1_000_000) + "1";
    expect(parsed(long)).to.deep.equal({ n: [long] });
  });

  it("is still an error where it is not valid", () => {
    for (const text of ["[09007199254740993]", "[9007199254740993.]", "[1,]"])
      expect(() => parseLosslessJson(text)).to.throw(SyntaxError);
  });
});
