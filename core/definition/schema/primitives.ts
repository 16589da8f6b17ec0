import { z } from "zod";
import { isLocale, isTimeZone } from "./known-values.js";
import { isColor } from "./style-values.js";

// Values that several parts of a definition share. Each error text completes "Expected …".

const absolute = String.raw`\d+(\.\d+)?(mm|cm|in|pt|px)`;
const relative = String.raw`\d+(\.\d+)?(mm|cm|in|pt|px|em|rem|%)`;

/** A length on paper: `12mm`, `1.5cm`, `0.5in`, `10pt`, `40px`. */
export const lengthSchema = z
  .string()
  .regex(new RegExp(`^(0|${absolute})$`), {
    error: 'a length with a unit, such as "12mm" (mm, cm, in, pt or px)',
  })
  .meta({ id: "Length", description: "A length on paper, such as 12mm." });

/** A length on paper, or one relative to its context: `50%`, `2em`. */
export const sizeSchema = z
  .string()
  .regex(new RegExp(`^(0|${relative})$`), {
    error:
      'a length with a unit, such as "12mm" or "50%" (mm, cm, in, pt, px, em, rem or %)',
  })
  .meta({
    id: "Size",
    description: "A length, or a share of the available width, such as 50%.",
  });

const hex = "#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})";
const colorFunctions = "rgba?|hsla?|hwb|lab|lch|oklab|oklch";
const numbers = String.raw`[\d\s.,%/+-]+(deg)?[\d\s.,%/+-]*`;
const colorFunction = String.raw`(${colorFunctions}|${colorFunctions.toUpperCase()})\(${numbers}\)`;

const COLOR_ERROR = 'a color, such as "#1a2b3c", "rgb(0 0 0 / 50%)" or "navy"';

/**
 * A CSS color: a keyword, `#rgb[a]`, `#rrggbb[aa]`, or a color function with numbers. The pattern has no flags
 * because JSON Schema does not support them.
 */
export const colorSchema = z
  .string()
  .regex(new RegExp(`^(${hex}|[a-zA-Z]+|${colorFunction})$`), {
    error: COLOR_ERROR,
    abort: true,
  })
  .refine(isColor, { error: COLOR_ERROR })
  .meta({
    id: "Color",
    description:
      "A CSS color: a keyword, #rrggbb, or a color function with numbers.",
  });

export const alignSchema = z
  .enum(["left", "center", "right"])
  .meta({ id: "Align", description: "Horizontal alignment of a cell." });

export type Align = z.infer<typeof alignSchema>;

export function isKnownLocale(tag: string): boolean {
  return isLocale(tag) && Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
}

export const LOCALE_ERROR = 'a BCP 47 language tag, such as "en-US" or "de-DE"';

export const localeSchema = z
  .string()
  .refine(isKnownLocale, { error: LOCALE_ERROR });

export const currencySchema = z
  .string()
  .regex(/^[A-Z]{3}$/, { error: 'an ISO 4217 currency code, such as "EUR"' });

export const timeZoneSchema = z
  .string()
  .refine(isTimeZone, { error: 'an IANA time zone, such as "Europe/Berlin"' });
