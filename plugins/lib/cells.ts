import type { FieldInfo, Row, RowsFound } from "../../core/plugin-api/index.js";
import { decodeUriText } from "./http-api.js";

// What the shipped platforms share when they read and write cells.

/** Pairs the rows that were found with the ids that have none. */
export function toRowsFound(rows: Row[], ids: readonly string[]): RowsFound {
  const foundIds = new Set(rows.map(({ id }) => id));
  return { rows, missing: ids.filter((id) => !foundIds.has(id)) };
}

/** The lines of a cell that holds one link per line, trimmed and without empty ones. */
export function splitLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Adds a file's name to its link, after `#`: it can be read back without a request, and servers never see it. */
export function addFilename(url: string, filename: string): string {
  const link = new URL(url);
  link.hash = encodeURIComponent(filename);
  return link.href;
}

/** The file name that a link carries after `#`, or else the last part of its path. */
export function getFilename(url: string): string {
  if (!URL.canParse(url)) return url;
  const { hash, pathname } = new URL(url);
  const name = hash === "" ? pathname.split("/").at(-1) : hash.slice(1);
  return decodeUriText(name ?? "");
}

/** What columns are called by whose values people know a row, the clearest names first. */
const nameColumns = [
  /^(name|title|label)$/i,
  /^(number|no|nr|code)$/i,
  /_(no|nr|number|code)$/i,
];

/** The id of the text column whose values probably name a row. */
export function findNameColumn(
  fields: readonly FieldInfo[],
): string | undefined {
  const named = fields.filter(({ kind }) => kind === "text");
  return nameColumns
    .map((pattern) => named.find(({ name }) => pattern.test(name))?.id)
    .find((id) => id !== undefined);
}

/**
 * The format of a money column whose amounts are shown with a symbol or a code such as "€", "US$", "kr" or "EUR". Empty
 * for a symbol of several currencies, since the amounts would be printed with another one.
 */
export function createMoneyFormat(
  sign: string,
): Pick<FieldInfo, "format" | "currency"> {
  const wanted = sign.replaceAll(/[\s.]/g, "");
  if (wanted === "") return { format: "currency" };
  const currency = getCurrencySigns().get(wanted.toUpperCase());
  return currency === undefined ? {} : { format: "currency", currency };
}

let currencySigns: ReadonlyMap<string, string> | undefined;

/** The currencies by their codes and symbols in upper case: "$" is the US dollar. */
function getCurrencySigns(): ReadonlyMap<string, string> {
  if (currencySigns) return currencySigns;
  const codes = Intl.supportedValuesOf("currency");
  const signs = new Map(codes.map((code) => [code, code]));
  for (const currencyDisplay of ["symbol", "narrowSymbol"] as const) {
    const codesBySign = new Map<string, string[]>();
    for (const currency of codes) {
      const options = { style: "currency", currency, currencyDisplay } as const;
      const parts = new Intl.NumberFormat("en", options).formatToParts(1);
      const sign = parts
        .find(({ type }) => type === "currency")
        ?.value.toUpperCase();
      if (sign !== undefined && !signs.has(sign))
        codesBySign.set(sign, [...(codesBySign.get(sign) ?? []), currency]);
    }
    for (const [sign, [code = "", ...others]] of codesBySign)
      if (others.length === 0) signs.set(sign, code);
  }
  return (currencySigns = signs.set("US$", "USD"));
}
