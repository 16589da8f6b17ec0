import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { expect } from "chai";
import { parseConfig } from "../../config/index.js";
import { variables } from "../../config/variables.js";

const example = readFileSync("config/example.env", "utf8");

describe("config/example.env", () => {
  it("lists every variable", () => {
    const named = [...example.matchAll(/^(?:# )?(P\w+)=/gm)].map(
      ([, name]) => name,
    );
    expect([...new Set(named)]).to.have.members(Object.keys(variables));
  });

  it("contains the defaults, so that using it unchanged changes nothing", () => {
    expect(parseConfig(parseEnv(example))).to.deep.equal(parseConfig({}));
  });

  it("contains valid examples", () => {
    const uncommented = example.replaceAll(/^# (?=P\w+=)/gm, "");
    expect(parseConfig(parseEnv(uncommented)).warnings).to.deep.equal([]);
  });
});
