import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { parseSync, Visitor } from "oxc-parser";
import { definitionJsonSchema } from "../../core/definition/index.js";
import { en as runPageTexts } from "../../core/api/run-page/en.js";
import { describeSchemaProperty } from "../../studio/src/editor/session/descriptions.js";
import { en } from "../../studio/src/messages/en.js";
import { listCells, listWords } from "../support/rows.js";

const sources = "studio/src";

/** Attributes and properties of components that people see or hear. */
const textAttributes = new Set(
  listWords(`
  act alt aria-label aria-description hint keep label lead legend none notice placeholder title what words
`),
);

/** Texts that are the same in every language: commands, codes and examples of values. */
const untranslated = new Set(
  listCells(`
  npm install platen-plugin-warehouse | PLATEN_PLUGINS=platen-plugin-warehouse
  npm run platen -- user login-link you@… | AaGg 123 | dd.MM.yyyy | en-US | USD | UTC | PDF | https://
  https://shop.example.com/platen | letter-spacing
`),
);

function findLiteralTexts(path: string): string[] {
  const found: string[] = [];
  const add = (text: string) => {
    const words = text.trim().replaceAll(/\s+/g, " ");
    if (/\p{L}/u.test(words) && !untranslated.has(words))
      found.push(`${path}: ${words}`);
  };
  const { program } = parseSync(path, readFileSync(path, "utf8"));
  new Visitor({
    JSXText: ({ value }) => add(value),
    Property({ key, value }) {
      const isText = key.type === "Identifier" && textAttributes.has(key.name);
      if (isText && value.type === "Literal" && typeof value.value === "string")
        add(value.value);
    },
    JSXAttribute({ name, value }) {
      const isText =
        name.type === "JSXIdentifier" && textAttributes.has(name.name);
      if (!isText || value === null) return;
      const literal =
        value.type === "JSXExpressionContainer" ? value.expression : value;
      if (literal.type === "Literal" && typeof literal.value === "string")
        add(literal.value);
      if (literal.type === "TemplateLiteral")
        add(literal.quasis.map((part) => part.value.raw).join(" "));
    },
  }).visit(program);
  return found;
}

function listSources(extension: RegExp): string[] {
  return readdirSync(sources, { recursive: true, encoding: "utf8" })
    .filter((name) => extension.test(name))
    .map((name) => join(sources, name));
}

describe("the texts of the studio", () => {
  it("are in the message catalog and never in the components", () => {
    const files = listSources(/\.tsx$/);
    expect(files).to.have.lengthOf.above(50);
    expect(files.flatMap(findLiteralTexts)).to.deep.equal([]);
  });

  it("are each used by a component", () => {
    const text = listSources(/\.tsx?$/)
      .filter((path) => !/\/messages\/[a-z]{2}\.ts$/.test(path))
      .map((path) => readFileSync(path, "utf8"))
      .join("\n");
    const keys = Object.entries(en).flatMap(([area, messages]) =>
      Object.keys(messages).map(
        (key) => `${area}.${key.replace(/_(?:one|other)$/, "")}`,
      ),
    );
    expect(keys.filter((key) => !text.includes(`"${key}"`))).to.deep.equal([]);
  });

  it("label every property of a definition", () => {
    const names = new Set<string>();
    const addNames = (schema: unknown) => {
      if (typeof schema !== "object" || schema === null) return;
      const properties: unknown = Reflect.get(schema, "properties");
      if (typeof properties === "object" && properties !== null)
        for (const name of Object.keys(properties)) names.add(name);
      Object.values(schema).forEach(addNames);
    };
    addNames(definitionJsonSchema());
    const unlabeled = [...names].filter(
      (name) => describeSchemaProperty([name]) === name,
    );
    expect(unlabeled).to.deep.equal([]);
  });
});

const runPages = "core/api/run-page";

describe("the texts of the pages behind links", () => {
  const files = readdirSync(runPages)
    .filter((name) => /(?:\.njk|\w{3,}\.ts)$/.test(name))
    .map((name) => readFileSync(join(runPages, name), "utf8"));
  const keys = Object.keys(runPageTexts);

  it("are in the message catalog and never in the templates", () => {
    const literals = readdirSync(runPages)
      .filter((name) => name.endsWith(".njk"))
      .flatMap((name) =>
        readFileSync(join(runPages, name), "utf8")
          .replaceAll(/\{[{%].*?[%}]\}/gs, "")
          .replaceAll(/<[^>]*>/g, "\n")
          .split("\n")
          .filter((line) => /\p{L}/u.test(line)),
      );
    expect(literals).to.deep.equal([]);
  });

  it("are each used by a page, and no page uses another", () => {
    const used = files.flatMap((text) =>
      [...text.matchAll(/"(\w+)"/g)].map(([, key]) => key),
    );
    const names = keys.map((key) => key.replace(/_(?:one|other)$/, ""));
    const formats = ["pdf", "html", "image", "mjml", "xml"];
    const unused = names.filter(
      (name) => !used.includes(name) && !formats.includes(name),
    );
    expect(unused).to.deep.equal([]);
    const calls = files.flatMap((text) =>
      [...text.matchAll(/\bt\("(\w+)"/g)].map(([, key]) => key ?? ""),
    );
    expect(calls.filter((key) => !names.includes(key))).to.deep.equal([]);
  });
});
