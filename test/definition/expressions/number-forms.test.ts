import { expect } from "chai";
import { prints } from "./vocabulary.js";

// Only the first number of a form, which is a sign and a number of digits on each side of the point, is formatted by
// Intl. Each list is long enough to have several numbers of most forms.

const LOCALES = (
  "en-US en-IN de-DE de-CH de-AT fr-FR fr-CH es-ES es-MX pt-PT pt-BR it-IT nl-NL pl-PL cs-CZ da-DK sv-SE nb-NO fi-FI " +
  "et-EE lv-LV lt-LT hu-HU ro-RO bg-BG el-GR tr-TR ru-RU uk-UA he-IL ar-EG ar-AE fa-IR ur-PK hi-IN bn-BD ta-IN mr-IN " +
  "ne-NP my-MM th-TH vi-VN id-ID ja-JP ko-KR zh-CN zh-TW ka-GE hy-AM sw-KE am-ET eu-ES ca-ES gl-ES ga-IE mt-MT is-IS"
).split(" ");

const FORMATS: readonly [string, Intl.NumberFormatOptions][] = [
  ["number", { maximumFractionDigits: 6 }],
  ["number(2)", { minimumFractionDigits: 2, maximumFractionDigits: 2 }],
  [
    "number('000,000.0##')",
    {
      minimumIntegerDigits: 6,
      minimumFractionDigits: 1,
      maximumFractionDigits: 3,
    },
  ],
  ["percent(1)", { style: "percent", minimumFractionDigits: 1 }],
  ["currency('EUR')", { style: "currency", currency: "EUR" }],
  ["currency('CHF')", { style: "currency", currency: "CHF" }],
  ["currency('JPY')", { style: "currency", currency: "JPY" }],
  ["currency('KWD')", { style: "currency", currency: "KWD" }],
];

const SPECIAL = [
  0, -0, 1, -1, 0.5, 1.005, -1.005, 0.1, 0.000001, 1e-7, 1e15, 1e20, 1e21,
  999.995, 9999.5, 1e-300, 1.7e308, 123456789012345.6, 9007199254740992,
];

describe("numbers of every form", () => {
  const numbers = [...SPECIAL, ...listNumbers(60)];

  for (const [filter, options] of FORMATS)
    it(`${filter} prints as Intl formats, in every locale`, () => {
      const source = `{{ n | ${filter} }}`;
      for (const locale of LOCALES) {
        const intl = new Intl.NumberFormat(locale, {
          signDisplay: "negative",
          ...options,
        });
        for (const n of numbers)
          expect(prints(source, { n }, { locale }), `${locale} ${n}`).to.equal(
            intl.format(n),
          );
      }
    });
});

/** Numbers of up to 17 digits, the same in every run. */
function listNumbers(count: number): number[] {
  let state = 1;
  const next = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  return Array.from({ length: count }, () => {
    const digits = Array.from({ length: 1 + next(17) }, () => next(10));
    const point = next(digits.length + 1);
    const text = `${digits.slice(0, point).join("")}.${digits.slice(point).join("")}0`;
    return Number(`${next(2) === 0 ? "-" : ""}0${text}`);
  });
}
