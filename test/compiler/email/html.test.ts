import { expect } from "chai";
import { mjmlToHtml } from "../../../core/compiler/email/compile-email.js";
import { blueprints } from "../../../core/templates/blueprints/index.js";
import { compileTemplate, type Program } from "../../../core/compiler/index.js";
import { accepted, OPTIONS, rule, text } from "../support.js";

/** Without what dark mode and print add, and without the spaces and Outlook seams that MJML only tidies when it sees them. */
function normalize(html: string): string {
  return html
    .replaceAll(/<meta name="(?:supported-)?color-schemes?"[^>]*>/g, "")
    .replace(/<style>\s*:root[^]*?<\/style>/, "")
    .replace(/<style>\s*@page[^]*?<\/style>/, "")
    .replace(/<!\[endif\]-->\s*<!--\[if mso \| IE\]>/g, "")
    .replace(/\s+/g, " ")
    .replaceAll("> <", "><");
}

function expectTheSame(program: Program, data: object): void {
  const merged = program.merge(data, OPTIONS).html;
  const { mjml } = program.mjml(data, OPTIONS);
  expect(normalize(merged)).to.equal(normalize(mjmlToHtml(mjml)));
}

describe("the html of an email", () => {
  for (const { name, templateType, definition } of blueprints())
    if (templateType === "email")
      it(`equals that of its merged MJML: ${name}`, () => {
        const program = compileTemplate(accepted(definition, "email"), "email");
        expectTheSame(program, getSample(definition));
      });

  it("equals that of its merged MJML when columns are conditional", () => {
    const column = {
      type: "column",
      components: [text("{{ card.name }}")],
      collection: { collectionId: "card", path: "root.cards" },
    };
    const written = [{ type: "section", components: [column] }];
    const program = compileTemplate(accepted(written, "email"), "email");
    expectTheSame(program, {
      cards: [{ name: "a" }, { name: "b" }, { name: "c" }],
    });
  });

  it("equals that of its merged MJML when conditions hide content", () => {
    const written = [
      text("a", { condition: rule("root.a", "notNull") }),
      text("b", {
        condition: {
          ...rule("root.a", "notNull"),
          else: [text("c {{ root.b }}")],
        },
      }),
    ];
    const program = compileTemplate(accepted(written, "email"), "email");
    expectTheSame(program, { b: "{{ 1 }} & <b>" });
  });
});

function getSample({ sample }: { sample?: unknown }): object {
  if (typeof sample !== "object" || sample === null)
    throw new Error("no sample");
  return sample;
}
