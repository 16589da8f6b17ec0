import { expect } from "chai";
import { parseConfig } from "../../config/index.js";

describe("a PLATEN_ variable that nothing reads", () => {
  it("adds a warning with the most similar variable", () => {
    expect(parseConfig({ PLATEN_PROT: "8080" }).warnings).to.deep.equal([
      "PLATEN_PROT is not a variable of Platen and has no effect. Did you mean PLATEN_PORT?",
    ]);
  });

  it("adds a warning without a suggestion when no variable is similar", () => {
    expect(parseConfig({ PLATEN_COLOUR_OF_NIGHT: "8" }).warnings).to.deep.equal(
      ["PLATEN_COLOUR_OF_NIGHT is not a variable of Platen and has no effect."],
    );
  });

  it("adds no warning for variables of the tests", () => {
    expect(parseConfig({ PLATEN_TEST_MYSQL_URL: "x" }).warnings).to.deep.equal(
      [],
    );
  });
});
