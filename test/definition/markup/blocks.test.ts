import { expect } from "chai";
import { describe, it } from "mocha";
import {
  compileTemplate,
  evaluateSample,
} from "../../../core/compiler/index.js";
import {
  checkDefinition,
  findPartialNames,
  resolvePartials,
  type TemplateType,
} from "../../../core/definition/index.js";
import type { Component } from "../../../core/definition/schema/component-schema.js";

const blocks: Record<string, readonly Component[]> = {
  terms: [
    { type: "text", id: "a", text: "Terms of {{ root.name }}" },
    { type: "qrcode", value: "{{ root.name }}" },
  ],
  line: [{ type: "text", text: "{{ line.title }}" }],
  letterhead: [
    {
      type: "markup",
      html: "<b>{{ root.name }}</b>",
      css: "b { color: #b00 }",
    },
  ],
};
const library = { names: Object.keys(blocks), components: blocks };

const define = (markup: object) => ({
  schema: [
    {
      id: "root",
      fields: [
        { name: "name", type: "String" },
        { name: "lines", type: "OneToManyLink", target: "lines" },
      ],
    },
    { id: "lines", fields: [{ name: "title", type: "String" }] },
  ],
  components: [{ type: "markup", id: "m", ...markup }],
});

const data = { name: "Ada", lines: [{ title: "One" }, { title: "Two" }] };

function check(markup: object, type: TemplateType = "document") {
  return checkDefinition(define(markup), type, library);
}

function compile(markup: object, type: TemplateType = "document") {
  const { definition, problems } = check(markup, type);
  expect(problems).to.eql([]);
  if (!definition) throw new Error("refused");
  return compileTemplate(resolvePartials(definition, library), type);
}

function body(html: string): string {
  const options = { isTest: false, now: new Date() };
  const { html: page } = compile({ html }).merge(data, options);
  return /<main>([^]*)<\/main>/.exec(page)?.[1] ?? "";
}

describe("a block that markup prints by its name", () => {
  it("is known as one that the definition uses", () => {
    const definition = define({
      html: '<template data-partial="terms"></template><div><template DATA-PARTIAL=line></template></div>',
    });
    expect(findPartialNames(definition)).to.eql(["terms", "line"]);
  });

  it("is printed in its place, with the components that markup does not have", () => {
    const html = body(
      '<section><template data-partial="terms"></template></section>',
    );
    expect(html).to.match(/<section><p>Terms of Ada<\/p>.*<svg[^]*<\/section>/);
  });

  it("reads what its place reads, and is repeated and hidden like an element", () => {
    const each = '<template data-each="line in root.lines" data-partial="line"';
    const html = body(
      `${each}></template><template data-if="root.none" data-partial="terms"></template><i data-else>no</i>`,
    );
    expect(html).to.include("<p>One</p><p>Two</p><i>no</i>");
  });

  it("brings the style sheet of its own markup", () => {
    const program = compile({
      html: '<template data-partial="letterhead"></template><template data-partial="letterhead"></template>',
    });
    const { html } = program.merge(data, { isTest: false, now: new Date() });
    expect(html)
      .to.include("<b>Ada</b>")
      .and.to.match(/b\s*{\s*color:\s*#b00/);
  });

  it("is printed in a column of an email", () => {
    const program = compile(
      {
        mjml: '<mj-section><mj-column><template data-partial="line" data-each="line in root.lines"></template></mj-column></mj-section>',
      },
      "email",
    );
    const { mjml } = program.mjml(data, { isTest: false, now: new Date() });
    expect(mjml)
      .to.match(/<mj-column><mj-text[^>]*><p[^>]*>One/)
      .and.to.include("Two");
  });

  it("is shown in an editor's sample", () => {
    const html = '<template data-partial="terms"></template>';
    const { definition } = check({ html });
    if (!definition) throw new Error("refused");
    const resolved = resolvePartials(definition, library);
    const facts = evaluateSample(resolved, data, new Date());
    expect(facts.markup.get("m")?.[html]).to.include("Terms of Ada");
  });
});
