import { readdirSync } from "node:fs";
import { expect } from "chai";
import { z } from "zod";
import { de as runPageDe } from "../../core/api/run-page/de.js";
import { en as runPageEn } from "../../core/api/run-page/en.js";
import { es as runPageEs } from "../../core/api/run-page/es.js";
import { fr as runPageFr } from "../../core/api/run-page/fr.js";
import { blueprints } from "../../core/templates/blueprints/index.js";
import {
  formatSize,
  languageNames,
  type TranslatedLanguage,
} from "../../core/plugin-api/languages.js";
import { de } from "../../studio/src/messages/de.js";
import { en } from "../../studio/src/messages/en.js";
import { es } from "../../studio/src/messages/es.js";
import { fr } from "../../studio/src/messages/fr.js";
import { listCells } from "../support/rows.js";

type Catalog = ReadonlyMap<string, string>;

/** Texts by key or, in the studio, by area and key. */
const catalogSchema = z.record(
  z.string(),
  z.union([z.string(), z.record(z.string(), z.string())]),
);

function listTexts(catalog: object): Catalog {
  return new Map(
    Object.entries(catalogSchema.parse(catalog)).flatMap(
      ([key, texts]): [string, string][] =>
        typeof texts === "string"
          ? [[key, texts]]
          : Object.entries(texts).map(([name, text]) => [
              `${key}.${name}`,
              text,
            ]),
    ),
  );
}

interface Part {
  /** Where the catalogs are, each a file or a folder that is named by its language. */
  folder: string;
  english: object;
  translations: Record<TranslatedLanguage, object>;
}

/** The catalogs of each part of the product. */
const parts: Readonly<Record<string, Part>> = {
  "the studio": {
    folder: "studio/src/messages",
    english: en,
    translations: { de, es, fr },
  },
  "the pages behind links": {
    folder: "core/api/run-page",
    english: runPageEn,
    translations: { de: runPageDe, es: runPageEs, fr: runPageFr },
  },
};

/** Names, codes and formats that no language translates. */
const names = listCells(`
  Platen | {{title}} · Platen | {{name}} · Platen | Markdown | JSON | PDF | PDFs | URL | ID | BIC | COUNT({{path}})
  {{width}} × {{height}} mm | {{time}} (UTC)
`);

/** Texts that happen to be the same in English and in another language. */
const sameTexts: Readonly<Record<string, readonly string[]>> = {
  de: listCells(`
    Block | Logo | Barcode | Base | Desktop | Details | Filter | Format | In {{id}} | Layout | Link | Links | Name
    Person | Plugins | Status | System | Test | Text | Version {{version}} | Video | Videos | Webhooks | Zoom
  `),
  es: "Base Color Ctrl Editor No Series Subtotal Webhooks Zoom no".split(" "),
  fr: listCells(`
    Logo | Accessible | Action | Angle | Angle, ° | Assistants | Base | Condition | Ctrl | Date | Description
    Document | Documentation | Documents | Double | Endpoint | Format | Image | Images | Message | Options
    Orientation | Page | Page {{number}} | Pages | Pagination | Plugins | Point | Portrait | QR code | Secret
    Section | Service | Signature | Signatures | Source | Style | Styles | Test | Type | Version {{version}}
    Versions | Webhooks | Zoom | version {{version}} | {{count, number}} document | {{count, number}} documents
    {{source}}, version {{version}}
  `),
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

for (const [part, { folder, ...catalogs }] of Object.entries(parts))
  describe(`the translations of ${part}`, () => {
    const english = listTexts(catalogs.english);

    it("are there for each language that can be chosen, and no other", () => {
      const found = readdirSync(folder)
        .flatMap((name) => /^([a-z]{2})(?:\.ts)?$/.exec(name)?.[1] ?? [])
        .toSorted();
      expect(found).to.deep.equal(Object.keys(languageNames).toSorted());
    });

    for (const [language, catalog] of Object.entries(catalogs.translations)) {
      const translated = listTexts(catalog);

      it(`have the keys of English and the plural forms of the language: ${language}`, () => {
        expect([...translated.keys()].toSorted()).to.deep.equal(
          expectedKeys(english, language),
        );
      });

      it(`have the placeholders and tags of English: ${language}`, () => {
        const wrong = [...translated].filter(
          ([key, text]) =>
            listMarks(text).join() !==
            listMarks(findEnglish(english, key)).join(),
        );
        expect(wrong).to.deep.equal([]);
      });

      it(`are not in English, but for words that are the same: ${language}`, () => {
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

describe("the blueprints", () => {
  for (const { id, translations } of blueprints())
    it(`are named and described in each language: ${id}`, () => {
      const codes = Object.keys(languageNames).filter((one) => one !== "en");
      expect(translations).to.have.all.keys(codes);
    });
});

describe("the size of a file", () => {
  it("has the number and the unit of its language", () => {
    for (const [locale, ...sizes] of [
      ["en", "1 byte", "224 bytes", "84 kB", "1.2 MB"],
      ["de", "1 Byte", "224 Byte", "84 kB", "1,2 MB"],
      ["fr", "1 octet", "224 octets", "84 ko", "1,2 Mo"],
      ["es", "1 byte", "224 bytes", "84 kB", "1,2 MB"],
    ] as const)
      expect(
        [1, 224, 84_000, 1_200_000].map((size) =>
          formatSize(size, locale).replaceAll(/\s/g, " "),
        ),
      ).to.deep.equal(sizes);
  });
});
