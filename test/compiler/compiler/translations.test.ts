import { expect } from "chai";
import { checkDefinition } from "../../../core/definition/index.js";
import {
  accepted,
  createDefinition,
  merged,
  mergedEmail,
  mjmlBody,
  rejects,
  text,
} from "../support.js";

const translations = {
  en: {
    due: "Due in {days, plural, one {# day} other {# days}}",
    total: "Total: {sum}",
    "status.paid": "Paid",
  },
  de: {
    due: "Zahlbar in {days, plural, one {# Tag} other {# Tagen}}",
    total: "Summe: {sum}",
    "status.paid": "Bezahlt",
  },
};

/** What a text of the template prints in a locale. */
function prints(
  source: string,
  data: object = {},
  locale?: string,
  more: object = {},
): string {
  const written = { translations, components: [text(source)], ...more };
  const { html } = merged(written, data, locale ? { locale } : {});
  return /<main><p>([^]*)<\/p>/.exec(html)?.[1] ?? "";
}

/** What a message prints in English. */
function message(source: string, values: string, data: object = {}): string {
  return prints(`{{ t("key"${values}) }}`, data, "en", {
    translations: { en: { key: source } },
  });
}

function untranslated(
  source: string,
  locale: string,
  table: object = translations,
) {
  const written = { translations: table, components: [text(source)] };
  return merged(written, {}, { locale }).report.missingTranslations;
}

/** The problems of a text of the translations. */
const problemsOf = (key: string) =>
  checkDefinition(
    createDefinition({ translations: { en: { key } } }),
    "document",
  ).problems.map(({ path, code, expression, column, message: said }) => ({
    path,
    code,
    expression,
    column,
    message: said,
  }));

describe("the texts of translations", () => {
  it("are printed in the locale of the document, with its plural forms", () => {
    const source = '{{ t("due", root.days) }}';
    expect(prints(source, { days: 1 })).to.equal("Due in 1 day");
    expect(prints(source, { days: 14 }, "de")).to.equal("Zahlbar in 14 Tagen");
    expect(prints(source, { days: 1 }, "de")).to.equal("Zahlbar in 1 Tag");
  });

  it("take the plural forms of languages with more than two", () => {
    const key =
      "{n, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}";
    const table = { translations: { pl: { key } } };
    const print = (n: number) =>
      prints('{{ t("key", root.n) }}', { n }, "pl", table);
    expect([1, 2, 5, 22, 1.5].map(print)).to.eql([
      "1 plik",
      "2 pliki",
      "5 plików",
      "22 pliki",
      "1,5 pliku",
    ]);
  });

  it("take values by name, by the name of the field, and with a filter", () => {
    const data = { sum: 1234.5, gross: 2 };
    expect(prints('{{ t("total", root.sum) }}', data)).to.equal(
      "Total: 1234.5",
    );
    expect(
      prints('{{ t("total", root.sum | currency("EUR")) }}', data, "de"),
    ).to.equal("Summe: 1.234,50\u00a0€");
    expect(prints('{{ t("total", sum = root.gross * 2) }}', data)).to.equal(
      "Total: 4",
    );
  });

  it("may have a key that is computed", () => {
    const source = '{{ t("status." ~ root.status) }}';
    expect(prints(source, { status: "paid" }, "de")).to.equal("Bezahlt");
  });

  it("are part of an expression like any other text", () => {
    const data = { paid: true };
    expect(
      prints(
        '{{ t("status.paid") ~ "!" if root.paid else "-" | upper }}',
        data,
      ),
    ).to.equal("PAID!");
  });

  it("are escaped, with their values", () => {
    expect(message("<b>{a}</b>", ", root.a", { a: "<script>" })).to.equal(
      "&lt;b&gt;&lt;script&gt;&lt;/b&gt;",
    );
  });

  it("know exact numbers, offsets, ordinals, choices and quotes", () => {
    const plural =
      "{n, plural, offset:1 =0 {nobody} =1 {you} other {you and # more}}";
    expect([0, 1, 3].map((n) => message(plural, ", root.n", { n }))).to.eql([
      "nobody",
      "you",
      "you and 2 more",
    ]);
    expect(
      message(
        "{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}",
        ", root.n",
        { n: 22 },
      ),
    ).to.equal("22nd");
    const select = "{k, select, a {A} other {?}}";
    expect(message(select, ", root.k", { k: "a" })).to.equal("A");
    expect(message(select, ", root.k", { k: "b" })).to.equal("?");
    expect(
      message("it''s '{'x'}' {n, number, percent}", ", root.n", { n: 0.5 }),
    ).to.equal("it&#39;s {x} 50%");
  });

  it("lose no digit of a number", () => {
    const n = "12345678901234567890.5";
    expect(message("{n, number}", ", root.n", { n })).to.equal(
      "12,345,678,901,234,567,890.5",
    );
  });

  it("choose cases by own names only", () => {
    const select = "{k, select, a {A} other {?}}";
    for (const k of ["__proto__", "constructor", "toString"])
      expect(message(select, ", root.k", { k })).to.equal("?");
    for (const key of ["__proto__", "constructor", "toString"])
      expect(prints("{{ t(root.key) }}", { key })).to.equal("");
    expect(
      prints('{{ t("constructor") }}', {}, "en", {
        translations: { en: { constructor: "built" } },
      }),
    ).to.equal("built");
  });

  it("report a value that has to be a number", () => {
    const written = {
      translations,
      components: [text('{{ t("due", root.days) }}')],
    };
    const { report, html } = merged(written, { days: "soon" });
    expect(html).to.include("Due in soon days");
    expect(report.invalidData).to.have.length(1);
    expect(report.invalidData[0]).to.include({
      path: "root.days",
      found: 'the text "soon"',
    });
  });

  it("are looked for in the locale, its language, the default locale, and any other", () => {
    const table = {
      "de-AT": { month: "Jänner" },
      de: { month: "Januar", sure: "sicher" },
      "en-US": { month: "January", color: "color" },
      fr: { only: "seul" },
    };
    const source =
      '{{ t("month") }} {{ t("sure") }} {{ t("color") }} {{ t("only") }}';
    const more = { translations: table };
    expect(prints(source, {}, "de-AT", more)).to.equal(
      "Jänner sicher color seul",
    );
    expect(prints('{{ t("month") }}', {}, "de-CH", more)).to.equal("Januar");
    expect(prints('{{ t("color") }}', {}, "en-GB", more)).to.equal("color");
    expect(
      prints('{{ t("month") }}', {}, "ja", { ...more, locale: "de" }),
    ).to.equal("Januar");
  });

  it("are reported where they are of another language", () => {
    const table = { en: { a: "A", b: "B" }, de: { a: "Ä" } };
    expect(untranslated('{{ t("a") }} {{ t("b") }}', "de", table)).to.eql([
      {
        key: "b",
        component: "$.components[0]",
        locale: "de",
        used: "en",
      },
    ]);
    expect(untranslated('{{ t("a") }}', "de-AT", table)).to.eql([]);
    expect(untranslated('{{ t("no" ~ "ne") }}', "de", table)).to.eql([
      {
        key: "none",
        component: "$.components[0]",
        locale: "de",
        used: null,
      },
    ]);
  });

  it("are printed by emails, as MJML and as HTML", () => {
    const written = {
      locale: "de",
      translations,
      email: { subject: '{{ t("status.paid") }}' },
      components: [text('{{ t("due", root.days) }}')],
    };
    const email = mergedEmail(written, { days: 2 });
    expect(email.title).to.equal("Bezahlt");
    expect(email.html).to.include("Zahlbar in 2 Tagen");
    expect(mjmlBody(written, { days: 2 })).to.include("Zahlbar in 2 Tagen");
  });
});

describe("the locale of a document", () => {
  const source = '{{ 1234.5 | number("0,0.00") }} {{ root.on | date("long") }}';
  const data = { on: "2026-03-01", language: "de-DE" };
  const fromRecord = { locale: "{{ root.language }}" };

  it("is that of the request, for numbers, dates and the language of the page", () => {
    const written = { components: [text(source)] };
    const { html, language } = merged(written, data, { locale: "de-DE" });
    expect(html).to.include("1.234,50 1. März 2026");
    expect(html).to.include('<html lang="de-DE" dir="ltr">');
    expect(language).to.equal("de-DE");
    expect(merged(written, data).html).to.include("1,234.50 March 1, 2026");
  });

  it("may be that of the record, and the request wins", () => {
    expect(prints(source, data, undefined, fromRecord)).to.equal(
      "1.234,50 1. März 2026",
    );
    expect(
      prints(source, { ...data, language: "de_DE" }, undefined, fromRecord),
    ).to.equal("1.234,50 1. März 2026");
    expect(prints(source, data, "fr", fromRecord)).to.include("1 mars 2026");
  });

  it("determines the direction of the text and of headers", () => {
    const written = {
      components: [text("a")],
      page: { footer: [{ type: "page-number" }] },
    };
    const { html } = merged(written, {}, { locale: "ar" });
    expect(html).to.include('<html lang="ar" dir="rtl">');
    expect(html).to.include("direction:rtl");
    expect(merged(written).html).to.not.include("direction:rtl");
    const email = { email: { subject: "a" }, components: [text("a")] };
    const arabic = mergedEmail(email, {}, { locale: "ar" });
    expect(arabic.html).to.include('<html lang="ar" dir="rtl"');
    expect(mergedEmail(email).html).to.include('<html lang="en-US" dir="ltr"');
  });

  it("falls back to the first translations when the record has none or an unknown one", () => {
    const written = {
      ...fromRecord,
      translations: { de: { a: "Ä" }, en: { a: "A" } },
      components: [text('{{ t("a") }}')],
    };
    const print = (language: unknown) => {
      const { html, language: used, report } = merged(written, { language });
      expect(html).to.include("<p>Ä</p>");
      expect(used).to.equal("de");
      return report.invalidData;
    };
    expect(print("")).to.eql([]);
    expect(print(null)).to.eql([]);
    for (const language of [
      "xx-invalid",
      "English",
      '"><script>',
      "x".repeat(9999),
    ]) {
      const [problem, ...others] = print(language);
      expect(others).to.eql([]);
      expect(problem).to.include({
        path: "root.language",
        component: "$.locale",
        code: "invalid_locale",
      });
    }
    expect(merged(written, {}).report.missing).to.eql([
      { path: "root.language", component: "$.locale" },
    ]);
  });

  it("is checked where it is written in the definition", () => {
    rejects({ locale: "xx-invalid" }, "$.locale", "BCP 47");
    rejects({ locale: "{{ root." }, "$.locale", "missing");
    accepted({ locale: "{{ root.language }}" });
  });
});

describe("the check of translations", () => {
  it("suggests the key that was meant", () => {
    rejects(
      { translations, components: [text('{{ t("dua", root.days) }}')] },
      "$.components[0].text",
      "Did you mean due?",
    );
    rejects(
      [text('{{ t("due") }}')],
      "$.components[0].text",
      "has no translations",
    );
  });

  it("names the value that a text needs", () => {
    rejects(
      { translations, components: [text('{{ t("due", root.day) }}')] },
      "$.components[0].text",
      'needs a value named "days"',
    );
    rejects(
      { translations, components: [text('{{ t("due", 3) }}')] },
      "$.components[0].text",
      "needs a name, as in days = 3",
    );
    rejects(
      { translations, components: [text("{{ t() }}")] },
      "$.components[0].text",
      't("key", name = value, …)',
    );
  });

  it("shows the line and column of a text that is no ICU message", () => {
    expect(problemsOf("a\n{n, plural, one {x}}")).to.eql([
      {
        path: "$.translations.en.key",
        code: "invalid_message",
        expression: "{n, plural, one {x}}",
        column: 20,
        message: 'The case "other" is missing. It is in line 2.',
      },
    ]);
    for (const [source, words] of [
      ["{n", "A closing } is missing."],
      ["{}", "The name of a value is missing."],
      ["{a b}", "letters, digits and underscores"],
      ["{{ root.a }}", "has no {{ }}"],
      ["{d, date, long}", "does not format dates"],
      ["{n, number, ::currency/EUR}", "number, integer or percent only"],
      ["{n, foo}", "has the type number, plural"],
      ["x".repeat(4001), "longer than 4000 characters"],
    ] as const) {
      const [problem] = problemsOf(source);
      expect(problem?.code).to.equal("invalid_message");
      expect(problem?.message).to.include(words);
    }
  });

  it("refuses unknown locales and locales that are given twice", () => {
    rejects({ translations: { xx: {} } }, "$.translations.xx", "BCP 47");
    rejects(
      { translations: { "de-de": {}, "de-DE": {} } },
      '$.translations["de-DE"]',
      "are the same locale",
    );
  });

  it("warns of texts that a language lacks", () => {
    const { warnings } = checkDefinition(
      createDefinition({
        translations: { en: { a: "A", b: "B" }, de: { a: "A" }, "de-AT": {} },
      }),
      "document",
    );
    expect(warnings.map(({ path, message: said }) => [path, said])).to.eql([
      [
        "$.translations.de",
        "There is no text for b. That of another language is printed.",
      ],
      [
        '$.translations["de-AT"]',
        "There is no text for b. That of another language is printed.",
      ],
    ]);
  });

  it("refuses __proto__ as a key", () => {
    const translated: unknown = JSON.parse('{ "en": { "__proto__": "a" } }');
    rejects(
      { translations: translated },
      "$.translations.en.__proto__",
      "__proto__",
    );
  });

  it("accepts 10,000 keys", () => {
    const texts = Object.fromEntries(
      Array.from({ length: 10_000 }, (_none, index) => [
        `key${index}`,
        `Text ${index} {n, plural, one {#} other {#s}}`,
      ]),
    );
    expect(
      prints('{{ t("key9999", root.n) }}', { n: 2 }, "de", {
        translations: { en: texts, de: texts },
      }),
    ).to.equal("Text 9999 2s");
  });
});
