import { Decimal } from "decimal.js";
import { Exact, settle, toNumeric } from "../value/numeric.js";
import type { FunctionDefinition } from "./function-definition.js";

const MOST_DIGITS = 20;

/** A rounding to decimal places; a negative number of them rounds to tens, hundreds and so on. */
function rounding(name: string, mode: Decimal.Rounding): FunctionDefinition {
  return {
    usage: `${name}(number, digits)`,
    least: 1,
    most: 2,
    takesNumber: true,
    call: ([value, digits]) => round(value, digits, mode),
  };
}

function round(value: unknown, digits: unknown, mode: Decimal.Rounding) {
  const number = toNumeric(value);
  if (number === null) return null;
  const places = Math.trunc(Number(toNumeric(digits) ?? 0));
  const capped = Math.max(-MOST_DIGITS, Math.min(MOST_DIGITS, places));
  const unit = new Exact(10).pow(-capped);
  return settle(
    new Exact(number).dividedBy(unit).toDecimalPlaces(0, mode).times(unit),
  );
}

export const numberFunctions: Record<string, FunctionDefinition> = {
  /** Half away from zero. */
  ROUND: rounding("ROUND", Decimal.ROUND_HALF_UP),
  CEIL: rounding("CEIL", Decimal.ROUND_CEIL),
  FLOOR: rounding("FLOOR", Decimal.ROUND_FLOOR),
  ABS: {
    usage: "ABS(number)",
    least: 1,
    most: 1,
    takesNumber: true,
    call: ([value]) => {
      const number = toNumeric(value);
      return number === null ? null : settle(new Exact(number).abs());
    },
  },
};
