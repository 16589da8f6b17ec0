import type { MergeContext } from "../../definition/expressions/index.js";
import type { ProjectData } from "../../definition/schema/project-data.js";

/** How numbers, money and dates of a template are written. */
export function localeOf({
  locale = "en-US",
  currency = "USD",
  timeZone = "UTC",
}: ProjectData): Pick<MergeContext, "locale" | "currency" | "timeZone"> {
  return { locale, currency, timeZone };
}
