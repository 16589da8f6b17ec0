import { expect } from "chai";
import {
  constantText,
  isConstantText,
} from "../../../core/definition/expressions/index.js";
import { prints } from "./vocabulary.js";

describe("literal text", () => {
  it("is printed unchanged", () => {
    expect(prints("Dear all,\n{ } }} {%  %} {# #}")).to.equal(
      "Dear all,\n{ } }} {%  %} {# #}",
    );
  });

  it("is kept around expressions", () => {
    expect(prints("a{{ 1 }}b{{2}}{{ 3 }}c")).to.equal("a1b23c");
  });

  it("keeps escaped braces", () => {
    expect(prints("\\{{ root.a }} {{ 1 }}")).to.equal("{{ root.a }} 1");
  });

  it("allows closing braces inside of a string", () => {
    expect(prints(`{{ "}}" ~ 'it"s' }}`)).to.equal('}}it"s');
  });

  it("is recognized as constant", () => {
    expect(isConstantText("plain")).to.equal(true);
    expect(isConstantText("\\{{ x")).to.equal(true);
    expect(isConstantText("{{ 1 }}")).to.equal(false);
    expect(constantText("a \\{{ b")).to.equal("a {{ b");
  });
});
