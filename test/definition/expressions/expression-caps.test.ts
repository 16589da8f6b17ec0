import { expect } from "chai";
import { problemsIn } from "./vocabulary.js";

const getMessage = (expression: string) =>
  problemsIn(`{{ ${expression} }}`).errors[0]?.message;

describe("an expression is rejected when it", () => {
  it("is too long", () => {
    expect(getMessage(`'${"a".repeat(5000)}'`)).to.include("longer");
  });

  it("is nested too deeply", () => {
    expect(getMessage("(".repeat(1000) + "1" + ")".repeat(1000))).to.include(
      "nested",
    );
    expect(getMessage("-".repeat(3000) + "1")).to.include("nested");
    expect(getMessage("not ".repeat(900) + "1")).to.include("nested");
    expect(getMessage("1 if 1 else ".repeat(300) + "1")).to.include("nested");
  });

  it("has too many parts", () => {
    expect(getMessage("1+".repeat(1500) + "1")).to.include("parts");
    expect(getMessage("a" + "|upper".repeat(600))).to.include("parts");
  });
});
