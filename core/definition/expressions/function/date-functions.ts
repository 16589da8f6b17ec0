import {
  addUnits,
  dayMoment,
  dayOf,
  momentText,
  toMoment,
  toUnit,
  unitsBetween,
  UNITS,
} from "../value/moment.js";
import { toNumeric } from "../value/numeric.js";
import { toText } from "../value/text.js";
import type { FunctionDefinition } from "./function-definition.js";

export const dateFunctions: Record<string, FunctionDefinition> = {
  /** The calendar day of the merge in the definition's time zone. */
  TODAY: {
    usage: "TODAY()",
    least: 0,
    most: 0,
    call: (_args, { now, timeZone }) => {
      const moment = { time: now.getTime(), isDay: false };
      return momentText(dayMoment(dayOf(moment, timeZone)));
    },
  },
  NOW: {
    usage: "NOW()",
    least: 0,
    most: 0,
    call: (_args, { now }) => now.toISOString(),
  },
  DATE_ADD: {
    usage: 'DATE_ADD(date, number, "days")',
    least: 3,
    most: 3,
    check: checkUnit,
    call: ([value, amount, unitName], { timeZone }) => {
      const moment = toMoment(value, timeZone);
      const number = toNumeric(amount);
      const unit = toUnit(unitName);
      if (!moment || number === null || !unit) return null;
      const whole = Math.trunc(Number(number));
      const sum = addUnits(moment, whole, unit, timeZone);
      return sum && momentText(sum);
    },
  },
  /** Whole units from the second date to the first: negative when the first is the earlier one. */
  DATE_DIFF: {
    usage: 'DATE_DIFF(later, earlier, "days")',
    least: 2,
    most: 3,
    check: checkUnit,
    call: ([later, earlier, unitName = "days"], { timeZone }) => {
      const end = toMoment(later, timeZone);
      const start = toMoment(earlier, timeZone);
      const unit = toUnit(unitName);
      return end && start && unit && unitsBetween(end, start, unit, timeZone);
    },
  },
};

function checkUnit([, , unit]: readonly unknown[]): string | null {
  if (unit === undefined || toUnit(unit)) return null;
  return `"${toText(unit)}" is no unit: ${UNITS.map((name) => `${name}s`).join(", ")}.`;
}
