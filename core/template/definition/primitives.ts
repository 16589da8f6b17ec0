import { z } from "zod";
import { isLocale, isTimeZone } from "../binding/index.js";

// Small values that several parts of a definition share. Each message says what was expected.

const absolute = String.raw`\d+(\.\d+)?(mm|cm|in|pt|px)`;
const relative = String.raw`\d+(\.\d+)?(mm|cm|in|pt|px|em|rem|%)`;

/** A length on paper: `12mm`, `1.5cm`, `0.5in`, `10pt`, `40px`. */
export const lengthSchema = z
  .string()
  .regex(new RegExp(`^(0|${absolute})$`), {
    error: 'a length with its unit, such as "12mm" (mm, cm, in, pt or px)',
  })
  .meta({ id: "Length" });

/** A length on paper, or one relative to what is around: `50%`, `2em`. */
export const sizeSchema = z
  .string()
  .regex(new RegExp(`^(0|${relative})$`), {
    error:
      'a length with its unit, such as "12mm" or "50%" (mm, cm, in, pt, px, em, rem or %)',
  })
  .meta({ id: "Size" });

/** A CSS colour: a keyword, `#rgb[a]`, `#rrggbb[aa]`, or a colour function of numbers. */
export const colorSchema = z
  .string()
  .regex(
    /^(#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|[a-z]+|(rgba?|hsla?|hwb|lab|lch|oklab|oklch)\([\d\s.,%/+-]+(deg)?[\d\s.,%/+-]*\))$/i,
    { error: 'a colour, such as "#1a2b3c" or "rgb(0 0 0 / 50%)"' },
  )
  .meta({ id: "Color" });

export const alignSchema = z
  .enum(["left", "center", "right"])
  .meta({ id: "Align" });

function isKnownLocale(tag: string): boolean {
  return isLocale(tag) && Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
}

export const localeSchema = z.string().refine(isKnownLocale, {
  error: 'a BCP 47 language tag, such as "en-US" or "de-DE"',
});

export const currencySchema = z
  .string()
  .regex(/^[A-Z]{3}$/, { error: 'an ISO 4217 currency code, such as "EUR"' });

export const timeZoneSchema = z
  .string()
  .refine(isTimeZone, { error: 'an IANA time zone, such as "Europe/Berlin"' });
