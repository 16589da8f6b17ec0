import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { expect } from "chai";
import { describe, it } from "mocha";
import { parseConfig } from "../../config/index.js";
import { variables } from "../../config/variables.js";

const example = readFileSync("config/example.env", "utf8");

describe("config/example.env", () => {
  it("names every variable", () => {
    const named = [...example.matchAll(/^(?:# )?(P\w+)=/gm)].map(
      ([, name]) => name,
    );
    expect([...new Set(named)]).to.have.members(Object.keys(variables));
  });

  it("shows the defaults: used as it is, it changes nothing", () => {
    expect(parseConfig(parseEnv(example))).to.deep.equal(parseConfig({}));
  });

  it("shows examples that can be used", () => {
    const uncommented = example.replaceAll(/^# (?=P\w+=)/gm, "");
    expect(parseConfig(parseEnv(uncommented)).warnings).to.deep.equal([]);
  });
});
