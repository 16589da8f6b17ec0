import { dateFormatFor, type DateStyle } from "../value/locale.js";
import { toMoment, type Moment } from "../value/moment.js";
import { localeArgument, textArgument, timeZoneArgument } from "./arguments.js";
import { checkDatePattern, formatByPattern } from "./date-pattern.js";
import type { FilterDefinition } from "./filter-definition.js";

const STYLES: readonly DateStyle[] = ["short", "medium", "long", "full"];

/**
 * `date("dd MMM yyyy")`, or a style word for the locale's own form; "medium" when there is no argument.
 * A date alone is a calendar day: no time zone shifts it.
 */
const date: FilterDefinition = {
  usage: 'date("dd MMM yyyy", "fr-FR", "Europe/Paris")',
  least: 0,
  most: 3,
  bind: ([form, tag, zone]) => {
    const pattern = textArgument(form) ?? "medium";
    const style = STYLES.find((name) => name === pattern);
    const locale = localeArgument(tag);
    const timeZone = timeZoneArgument(zone);
    const print = style ? byStyle(style) : byPattern(pattern);
    return (value, context) => {
      const moment = toMoment(value, context.timeZone);
      if (!moment) return value;
      const shown = moment.isDay ? "UTC" : (timeZone ?? context.timeZone);
      return print(moment, locale ?? context.locale, shown);
    };
  },
};

type Print = (moment: Moment, locale: string, timeZone: string) => string;

function byStyle(style: DateStyle): Print {
  return ({ time }, locale, timeZone) =>
    dateFormatFor(locale, style, timeZone).format(time);
}

function byPattern(pattern: string): Print {
  checkDatePattern(pattern);
  return ({ time }, locale, timeZone) =>
    formatByPattern(time, pattern, locale, timeZone);
}

export const dateFilters = { date };
