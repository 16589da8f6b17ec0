/** How a chart writes its numbers, by the locale. */
export interface ChartNumbers {
  /** A value: `1,234`, `12.5`, and `1.24M` from a million. */
  value(value: number): string;
  /** A share of 1: `42%`; shares below one in a hundred keep one decimal. */
  share(share: number): string;
}

const COMPACT_FROM = 1e6;

/** @param values all values of the chart: together they decide on decimals, so that its numbers look alike. */
export function chartNumbers(
  locale: string,
  values: readonly number[],
): ChartNumbers {
  const largest = values.reduce((max, v) => Math.max(max, Math.abs(v)), 0);
  const value = new Intl.NumberFormat(
    locale,
    largest >= COMPACT_FROM
      ? { notation: "compact", maximumSignificantDigits: 3 }
      : { maximumFractionDigits: decimals(largest) },
  );
  const whole = new Intl.NumberFormat(locale, {
    style: "percent",
    maximumFractionDigits: 0,
  });
  const fine = new Intl.NumberFormat(locale, {
    style: "percent",
    maximumFractionDigits: 1,
  });
  return {
    value: (number) => value.format(number),
    share: (share) => (share < 0.01 ? fine : whole).format(share),
  };
}

function decimals(largest: number): number {
  if (largest >= 1000) return 0;
  if (largest >= 10) return 1;
  if (largest >= 1) return 2;
  return 4;
}
