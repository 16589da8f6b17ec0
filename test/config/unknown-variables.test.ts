import { expect } from "chai";
import { describe, it } from "mocha";
import { parseConfig } from "../../config/index.js";

describe("a PLATEN_ variable that nothing reads", () => {
  it("is a warning that says what was perhaps meant", () => {
    expect(parseConfig({ PLATEN_PROT: "8080" }).warnings).to.deep.equal([
      "PLATEN_PROT is not a variable of Platen and has no effect. Did you mean PLATEN_PORT?",
    ]);
  });

  it("is only named when nothing is near", () => {
    expect(parseConfig({ PLATEN_COLOUR_OF_NIGHT: "8" }).warnings).to.deep.equal(
      ["PLATEN_COLOUR_OF_NIGHT is not a variable of Platen and has no effect."],
    );
  });

  it("says nothing about the tests' own", () => {
    expect(parseConfig({ PLATEN_TEST_MYSQL_URL: "x" }).warnings).to.deep.equal(
      [],
    );
  });
});
