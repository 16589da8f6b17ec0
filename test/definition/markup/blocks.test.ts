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
  broken: [{ type: "text", text: "{{ root.name | uper }}" }],
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

function listProblems(
  markup: object,
  type: TemplateType = "document",
): string[] {
  return check(markup, type).problems.map(
    ({ path, line, column, message, hint = "" }) =>
      `${path} ${line}:${column} ${message} ${hint}`,
  );
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

  it("is refused at its place when there is none of this name", () => {
    expect(
      listProblems({
        html: '<p>a</p>\n<template data-partial="tems"></template>',
      }),
    ).to.eql([
      '$.components[0].html 2:25 There is no block named "tems" for this type of template. Did you mean "terms"?',
    ]);
  });

  it("has its own problems at the place that prints it", () => {
    const [first = "", ...others] = listProblems({
      html: '<div>\n<template data-partial="broken"></template></div>',
    });
    expect(others).to.eql([]);
    expect(first)
      .to.match(/^\$\.components\[0]\.html 2:25 In the block "broken", at /)
      .and.to.include('"uper"');
  });

  it("is refused where a browser would not leave it, with content, and without a name", () => {
    for (const [html, words] of [
      ['<p><template data-partial="terms"></template></p>', "directly in <p>"],
      [
        '<table><template data-partial="terms"></template></table>',
        "directly in <table>",
      ],
      ['<div data-partial="terms"></div>', "only for a <template>"],
      ['<template data-partial="terms">a</template>', "has content"],
      ['<template data-partial=""></template>', "name of the block is missing"],
    ] as const)
      expect(listProblems({ html })[0], html).to.include(words);
    const mjml = '<template data-partial="line"></template>';
    expect(listProblems({ mjml }, "email")[0]).to.include("<mj-column>");
  });

  it("is the only way to write components in markup", () => {
    const components = [{ type: "text", text: "a" }];
    const found = listProblems({ html: "<p>a</p>", components });
    expect(found[0]).to.include("$.components[0].components");
  });
});
