import { COUNTRIES, UNITS } from "./code-lists.js";

// Codes by the words that people write instead of them.

const LANGUAGES = ["en", "de", "fr", "es", "it", "nl"];

const COUNTRY_ALIASES: Readonly<Record<string, string>> = {
  UK: "GB",
  EL: "GR",
  USA: "US",
};

let countries: Map<string, string> | undefined;

/** The code of a country, also for its name; any other text as it is. */
export function toCountryCode(text: string): string {
  const upper = text.toUpperCase();
  if (COUNTRIES.has(upper)) return upper;
  const alias = COUNTRY_ALIASES[upper];
  if (alias !== undefined) return alias;
  countries ??= new Map(
    LANGUAGES.flatMap((language) => {
      const names = new Intl.DisplayNames(language, { type: "region" });
      return [...COUNTRIES].flatMap((code) => {
        if (!/^[A-Z]{2}$/.test(code)) return [];
        return [[toKey(names.of(code) ?? code), code] as const];
      });
    }),
  );
  return countries.get(toKey(text)) ?? text;
}

const UNIT_WORDS: Readonly<Record<string, string>> = {
  C62: "one unit units einheit einheiten unité unités unidad unidades license licenses licence licences lizenz lizenzen",
  H87: "piece pieces pc pcs stück stk pièce pièces pieza piezas item items copy copies exemplar exemplare exemplaire exemplaires",
  HUR: "hour hours h hr hrs stunde stunden std heure heures hora horas",
  DAY: "day days d tag tage jour jours día días",
  WEE: "week weeks woche wochen semaine semaines semana semanas",
  MON: "month months monat monate mois mes meses",
  ANN: "year years jahr jahre an ans année années año años",
  MIN: "minute minutes min minuten minuto minutos",
  SET: "set sets satz sätze jeu jeux juego juegos",
  LS: "lump-sum lumpsum flat flat-rate pauschal pauschale forfait global",
  KGM: "kg kilogram kilograms kilogramm kilo kilos kilogramme kilogrammes",
  GRM: "g gram grams gramm gramme grammes gramo gramos",
  TNE: "t tonne tonnes tonnen ton tons tonelada toneladas",
  MTR: "m meter meters metre metres mètre mètres metro metros",
  KMT: "km kilometer kilometers kilometre kilometres kilomètre kilomètres kilómetro kilómetros",
  CMT: "cm",
  MMT: "mm",
  MTK: "m² m2 qm sqm",
  MTQ: "m³ m3 cbm",
  LTR: "l liter liters litre litres litro litros",
  MLT: "ml",
  KWH: "kwh",
  XPK: "package packages pack packs paket pakete packung packungen paquet paquets paquete paquetes",
  XBX: "box boxes karton kartons boîte boîtes caja cajas",
  XBG: "bag bags beutel sac sacs bolsa bolsas",
  XBO: "bottle bottles flasche flaschen bouteille bouteilles botella botellas",
  PR: "pair pairs paar paire paires par pares",
};

const unitCodes = new Map(
  Object.entries(UNIT_WORDS).flatMap(([code, words]) =>
    words.split(" ").map((word) => [toKey(word), code] as const),
  ),
);

/** The code of a unit, also for its name; one unit for no text, and any other text as it is. */
export function toUnitCode(text: string): string {
  if (text === "") return "C62";
  if (UNITS.has(text)) return text;
  const named = unitCodes.get(toKey(text));
  if (named !== undefined) return named;
  const upper = text.toUpperCase();
  return UNITS.has(upper) ? upper : text;
}

function toKey(text: string): string {
  return text
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[\s.]+/g, "");
}
