import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import { describe, it } from "mocha";
import { z } from "zod";
import { languageNames } from "../../core/plugin-api/languages.js";

type Catalog = ReadonlyMap<string, string>;

/** Texts by key or, in the studio, by area and key. */
const catalogModule = z.record(
  z.string(),
  z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())])),
);

async function readCatalog(path: string): Promise<Catalog> {
  const exports: unknown = await import(pathToFileURL(resolve(path)).href);
  const [catalog = {}] = Object.values(
    catalogModule.parse({ ...Object(exports) }),
  );
  return new Map(
    Object.entries(catalog).flatMap(([key, texts]): [string, string][] =>
      typeof texts === "string"
        ? [[key, texts]]
        : Object.entries(texts).map(([name, text]) => [`${key}.${name}`, text]),
    ),
  );
}

/** The catalogs of each part of the product: where the files of a language are. */
const parts: Readonly<Record<string, (language: string) => string>> = {
  "the studio": (language) =>
    `plugins/studio/app/src/messages/${language}/index.ts`,
  "the pages behind links": (language) => `core/api/run-page/${language}.ts`,
};

/** Names, codes and formats that no language translates. */
const names = [
  "Platen",
  "{{title}} · Platen",
  "{{name}} · Platen",
  "Markdown",
  "JSON",
  "PDF",
  "PDFs",
  "URL",
  "ID",
  "COUNT({{path}})",
  "{{width}} × {{height}} mm",
  "{{time}} (UTC)",
];

/** Texts that happen to be the same in English and in another language. */
const sameTexts: Readonly<Record<string, readonly string[]>> = {
  de: [
    "Barcode",
    "Base",
    "Desktop",
    "Details",
    "Filter",
    "Format",
    "In {{id}}",
    "Layout",
    "Link",
    "Links",
    "Name",
    "Person",
    "Plugins",
    "Status",
    "System",
    "Test",
    "Text",
    "Version {{version}}",
    "Video",
    "Videos",
    "Webhooks",
    "Zoom",
  ],
  es: [
    "Base",
    "Color",
    "Ctrl",
    "Editor",
    "No",
    "Series",
    "Subtotal",
    "Webhooks",
    "Zoom",
    "no",
  ],
  fr: [
    "Accessible",
    "Action",
    "Angle",
    "Angle, °",
    "Assistants",
    "Base",
    "Condition",
    "Ctrl",
    "Date",
    "Description",
    "Document",
    "Documentation",
    "Documents",
    "Double",
    "Endpoint",
    "Format",
    "Image",
    "Images",
    "Message",
    "Orientation",
    "Page",
    "Page {{number}}",
    "Pages",
    "Pagination",
    "Plugins",
    "Point",
    "Portrait",
    "QR code",
    "Secret",
    "Section",
    "Service",
    "Signature",
    "Signatures",
    "Source",
    "Style",
    "Styles",
    "Test",
    "Type",
    "Version {{version}}",
    "Versions",
    "Webhooks",
    "Zoom",
    "version {{version}}",
    "{{count, number}} document",
    "{{count, number}} documents",
    "{{source}}, version {{version}}",
  ],
};

/** A text of placeholders and punctuation alone. */
function isFormat(text: string): boolean {
  return !/\p{L}/u.test(text.replaceAll(/\{\{.*?\}\}/g, ""));
}

const pluralSuffix = /_(one|other)$/;

function expectedKeys(english: Catalog, language: string): string[] {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  const keys = [...english.keys()].flatMap((key) =>
    pluralSuffix.test(key)
      ? pluralCategories.map((category) =>
          key.replace(pluralSuffix, `_${category}`),
        )
      : [key],
  );
  return [...new Set(keys)].toSorted();
}

/** Placeholders, tags and names in braces, sorted. */
function listMarks(text: string): string[] {
  const marks = text.match(/\{\{.*?\}\}|<\/?\w+>|\{\w+\}/g) ?? [];
  return [...new Set(marks)].toSorted();
}

function findEnglish(english: Catalog, key: string): string {
  return english.get(key) ?? english.get(key.replace(/_\w+$/, "_other")) ?? "";
}

for (const [part, getPath] of Object.entries(parts))
  describe(`the translations of ${part}`, () => {
    const languages = Object.keys(languageNames).filter(
      (language) => language !== "en",
    );

    it("are there for each language that can be chosen, and no other", () => {
      const folder = join(getPath("en"), "..").replace(/\/en$/, "");
      const found = readdirSync(folder)
        .flatMap((name) => /^([a-z]{2})(?:\.ts)?$/.exec(name)?.[1] ?? [])
        .toSorted();
      expect(found).to.deep.equal([...languages, "en"].toSorted());
    });

    for (const language of languages) {
      it(`have the keys of English and the plural forms of the language: ${language}`, async () => {
        const english = await readCatalog(getPath("en"));
        const translated = await readCatalog(getPath(language));
        expect([...translated.keys()].toSorted()).to.deep.equal(
          expectedKeys(english, language),
        );
      });

      it(`have the placeholders and tags of English: ${language}`, async () => {
        const english = await readCatalog(getPath("en"));
        const translated = await readCatalog(getPath(language));
        const wrong = [...translated].filter(
          ([key, text]) =>
            listMarks(text).join() !==
            listMarks(findEnglish(english, key)).join(),
        );
        expect(wrong).to.deep.equal([]);
      });

      it(`are not in English, but for words that are the same: ${language}`, async () => {
        const english = await readCatalog(getPath("en"));
        const translated = await readCatalog(getPath(language));
        const same = new Set([...names, ...(sameTexts[language] ?? [])]);
        const untranslated = [...translated].filter(
          ([key, text]) =>
            text === findEnglish(english, key) &&
            !isFormat(text) &&
            !same.has(text),
        );
        expect(untranslated).to.deep.equal([]);
      });
    }
  });
