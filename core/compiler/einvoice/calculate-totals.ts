import type { Decimal } from "decimal.js";
import { ExactDecimal } from "../../definition/expressions/index.js";
import type { DocumentTerm } from "../../definition/schema/einvoice-terms.js";
import { checkBudget } from "../../lib/time-budget.js";
import type { EinvoiceProblem } from "../program.js";
import {
  type AllowanceTerm,
  type Entry,
  type Invoice,
  type Line,
  locate,
  type TermSource,
} from "./read-invoice.js";

/** VAT of one kind: a category with its rate. */
export interface VatKind {
  /** A code of UNTDID 5305; empty when the record has neither a category nor a rate. */
  category: string;
  rate: Decimal;
}

/** An allowance or a charge; amounts are positive. */
export interface Allowance {
  isCharge: boolean;
  amount: Decimal;
  /** Both or none. */
  base: { amount: Decimal; percentage: Decimal } | null;
  reason: string;
  reasonCode: string;
}

export interface DocumentAllowance extends Allowance, VatKind {}

export interface LineTotals extends VatKind {
  entry: Line;
  quantity: Decimal;
  netPrice: Decimal;
  net: Decimal;
  allowances: readonly Allowance[];
}

export interface VatSubtotal extends VatKind {
  taxable: Decimal;
  tax: Decimal;
}

export interface Totals {
  lines: readonly LineTotals[];
  allowances: readonly DocumentAllowance[];
  vat: readonly VatSubtotal[];
  lineTotal: Decimal;
  allowanceTotal: Decimal;
  chargeTotal: Decimal;
  withoutVat: Decimal;
  vatTotal: Decimal;
  withVat: Decimal;
  paid: Decimal;
  rounding: Decimal;
  due: Decimal;
}

const ZERO = new ExactDecimal(0);

/**
 * Calculates an invoice from its lines, and compares it with the amounts that the record has. What is missing counts as
 * zero: the business rules report it.
 */
export function calculateTotals({ document, lines }: Invoice): {
  totals: Totals;
  problems: EinvoiceProblem[];
} {
  const problems: EinvoiceProblem[] = [];
  const calculated = lines.map((line) => calculateLine(line, problems));
  const byVat = groupByVat(calculated);
  const allowances = [
    ...document
      .list("documentAllowances")
      .flatMap((entry) =>
        calculateDocumentAllowance(entry, false, byVat, problems),
      ),
    ...document
      .list("documentCharges")
      .flatMap((entry) =>
        calculateDocumentAllowance(entry, true, byVat, problems),
      ),
  ];
  const vat = calculateVat(byVat, allowances);
  const lineTotal = sum(calculated.map(({ net }) => net));
  const allowanceTotal = sumAllowances(allowances, false);
  const chargeTotal = sumAllowances(allowances, true);
  const withoutVat = lineTotal.minus(allowanceTotal).plus(chargeTotal);
  const vatTotal = sum(vat.map(({ tax }) => tax));
  const withVat = withoutVat.plus(vatTotal);
  const paid = document.number("paidAmount") ?? ZERO;
  const rounding = document.number("roundingAmount") ?? ZERO;
  const totals: Totals = {
    lines: calculated,
    allowances,
    vat,
    lineTotal,
    allowanceTotal,
    chargeTotal,
    withoutVat,
    vatTotal,
    withVat,
    paid,
    rounding,
    due: withVat.minus(paid).plus(rounding),
  };
  compareTotals(document, totals, problems);
  compareVat(document, totals, problems);
  return { totals, problems };
}

function sum(amounts: readonly Decimal[]): Decimal {
  return amounts.reduce((total, amount) => total.plus(amount), ZERO);
}

function sumAllowances(
  allowances: readonly Allowance[],
  charges: boolean,
): Decimal {
  return sum(
    allowances
      .filter(({ isCharge }) => isCharge === charges)
      .map(({ amount }) => amount),
  );
}

function round(amount: Decimal): Decimal {
  return amount.toDecimalPlaces(2);
}

function percentOf(base: Decimal, percentage: Decimal): Decimal {
  return round(base.times(percentage).dividedBy(100));
}

/** A positive rate without a category is the standard category. */
function readVat(entry: Entry<"vatCategoryCode" | "vatRate">): VatKind {
  const rate = entry.number("vatRate");
  const isRated = rate?.greaterThan(0) === true;
  return {
    category: entry.text("vatCategoryCode") || (isRated ? "S" : ""),
    rate: rate ?? ZERO,
  };
}

/** With a rate alone, an allowance has the category of the lines with that rate when they have only one. */
export function readAllowanceVat(
  entry: Entry<"vatCategoryCode" | "vatRate">,
  lines: readonly VatKind[],
): VatKind {
  const vat = readVat(entry);
  if (entry.has("vatCategoryCode")) return vat;
  const categories = new Set(
    lines
      .filter(({ rate }) => rate.equals(vat.rate))
      .map(({ category }) => category),
  );
  const [category = vat.category] = categories.size === 1 ? categories : [];
  return { ...vat, category };
}

function calculateLine(line: Line, problems: EinvoiceProblem[]): LineTotals {
  checkBudget();
  const quantity = line.number("invoicedQuantity") ?? ZERO;
  const netPrice = readNetPrice(line, problems);
  const baseQuantity = line.number("itemPriceBaseQuantity");
  const isDivided = baseQuantity?.greaterThan(0) === true;
  const gross = quantity
    .times(netPrice)
    .dividedBy(isDivided ? baseQuantity : 1);
  const allowances = [
    ...line
      .list("lineAllowances")
      .map((entry) => calculateAllowance(entry, false, round(gross), problems)),
    ...line
      .list("lineCharges")
      .map((entry) => calculateAllowance(entry, true, round(gross), problems)),
  ];
  const net = round(gross)
    .minus(sumAllowances(allowances, false))
    .plus(sumAllowances(allowances, true));
  compare(
    line,
    "lineNetAmount",
    net,
    { rule: "BR-LIN", what: "the net amount of this line" },
    problems,
  );
  return { entry: line, quantity, netPrice, net, allowances, ...readVat(line) };
}

/** The net price, or the gross price less its discount. */
function readNetPrice(line: Line, problems: EinvoiceProblem[]): Decimal {
  const net = line.number("itemNetPrice");
  const gross = line.number("itemGrossPrice");
  if (gross === null) return net ?? ZERO;
  const discounted = gross.minus(line.number("itemPriceDiscount") ?? ZERO);
  if (net !== null && !net.equals(discounted))
    problems.push({
      ...locate(line.source("itemNetPrice")),
      code: "PEPPOL-EN16931-R046",
      message: `The net price is ${net.toFixed()}, but the gross price less its discount is ${discounted.toFixed()} (PEPPOL-EN16931-R046).`,
      hint: "Correct one of them, or leave out the net price, which is then calculated.",
    });
  return net ?? discounted;
}

/** @param whole what a percentage refers to when the record names no base */
function calculateAllowance(
  entry: Entry<
    "amount" | "baseAmount" | "percentage" | "reason" | "reasonCode"
  >,
  isCharge: boolean,
  whole: Decimal,
  problems: EinvoiceProblem[],
): Allowance {
  const percentage = entry.number("percentage");
  const given = entry.number("amount");
  const named = {
    isCharge,
    reason: entry.text("reason"),
    reasonCode: entry.text("reasonCode"),
  };
  if (percentage === null)
    return { ...named, amount: given ?? ZERO, base: null };
  const amount = entry.number("baseAmount") ?? whole;
  const calculated = percentOf(amount, percentage);
  if (given !== null && !given.equals(calculated))
    problems.push(
      describeDifference(entry.source("amount"), given, calculated, {
        rule: "PEPPOL-EN16931-R040",
        what: `${percentage.toFixed()} % of ${amount.toFixed(2)}`,
      }),
    );
  return { ...named, amount: calculated, base: { amount, percentage } };
}

/** An allowance without VAT of its own is divided among the kinds of VAT of the lines. */
function calculateDocumentAllowance(
  entry: Entry<AllowanceTerm>,
  isCharge: boolean,
  byVat: ReadonlyMap<string, VatSubtotal>,
  problems: EinvoiceProblem[],
): DocumentAllowance[] {
  const whole = sum(Array.from(byVat.values(), ({ taxable }) => taxable));
  if (entry.has("vatRate") || entry.has("vatCategoryCode")) {
    const vat = readAllowanceVat(entry, [...byVat.values()]);
    const baseAmount = byVat.get(getVatKey(vat))?.taxable ?? whole;
    return [
      { ...calculateAllowance(entry, isCharge, baseAmount, problems), ...vat },
    ];
  }
  const all = calculateAllowance(entry, isCharge, whole, problems);
  if (all.amount.isZero()) return [];
  return divide(all, [...byVat.values()], whole);
}

/** The last part takes what rounding leaves. */
function divide(
  all: Allowance,
  kinds: readonly VatSubtotal[],
  whole: Decimal,
): DocumentAllowance[] {
  let left = all.amount;
  return kinds.flatMap(({ category, rate, taxable }, index) => {
    const isLast = index === kinds.length - 1;
    const share = whole.isZero()
      ? ZERO
      : round(all.amount.times(taxable).dividedBy(whole));
    const amount = isLast ? left : share;
    left = left.minus(amount);
    if (amount.isZero()) return [];
    const percentage = all.base?.percentage;
    const base =
      percentage !== undefined && percentOf(taxable, percentage).equals(amount)
        ? { amount: taxable, percentage }
        : null;
    return [{ ...all, amount, base, category, rate }];
  });
}

function getVatKey({ category, rate }: VatKind): string {
  return `${category} ${rate.toFixed()}`;
}

function groupByVat(lines: readonly LineTotals[]): Map<string, VatSubtotal> {
  const groups = new Map<string, VatSubtotal>();
  for (const { net, category, rate } of lines)
    addTaxable(groups, { category, rate }, net);
  return groups;
}

function addTaxable(
  groups: Map<string, VatSubtotal>,
  { category, rate }: VatKind,
  amount: Decimal,
): void {
  const key = getVatKey({ category, rate });
  const taxable = (groups.get(key)?.taxable ?? ZERO).plus(amount);
  groups.set(key, { category, rate, taxable, tax: percentOf(taxable, rate) });
}

function calculateVat(
  lines: ReadonlyMap<string, VatSubtotal>,
  allowances: readonly DocumentAllowance[],
): VatSubtotal[] {
  const groups = new Map(lines);
  for (const { isCharge, amount, category, rate } of allowances)
    addTaxable(
      groups,
      { category, rate },
      isCharge ? amount : amount.negated(),
    );
  return [...groups.values()];
}

interface Comparison {
  /** The rule that a difference breaks. */
  rule: string;
  /** What was calculated. */
  what: string;
}

const COMPARED: readonly [
  term: DocumentTerm,
  total: keyof Totals &
    (
      | "lineTotal"
      | "allowanceTotal"
      | "chargeTotal"
      | "withoutVat"
      | "vatTotal"
      | "withVat"
      | "due"
    ),
  comparison: Comparison,
][] = [
  [
    "sumOfInvoiceLineNetAmount",
    "lineTotal",
    { rule: "BR-CO-10", what: "the sum of the lines" },
  ],
  [
    "sumOfAllowancesOnDocumentLevel",
    "allowanceTotal",
    { rule: "BR-CO-11", what: "the sum of the allowances" },
  ],
  [
    "sumOfChargesOnDocumentLevel",
    "chargeTotal",
    { rule: "BR-CO-12", what: "the sum of the charges" },
  ],
  [
    "invoiceTotalAmountWithoutVat",
    "withoutVat",
    { rule: "BR-CO-13", what: "the total without VAT" },
  ],
  [
    "invoiceTotalVatAmount",
    "vatTotal",
    { rule: "BR-CO-14", what: "the total of the VAT" },
  ],
  [
    "invoiceTotalAmountWithVat",
    "withVat",
    { rule: "BR-CO-15", what: "the total with VAT" },
  ],
  ["amountDueForPayment", "due", { rule: "BR-CO-16", what: "the amount due" }],
];

function compareTotals(
  document: Entry<DocumentTerm>,
  totals: Totals,
  problems: EinvoiceProblem[],
): void {
  for (const [term, total, comparison] of COMPARED)
    compare(document, term, totals[total], comparison, problems);
}

/** Compares the VAT of the record with what its lines make, rate by rate. */
function compareVat(
  document: Invoice["document"],
  { vat }: Totals,
  problems: EinvoiceProblem[],
): void {
  for (const entry of document.list("vatBreakdown")) {
    const rate = entry.number("vatCategoryRate") ?? ZERO;
    const category = entry.text("vatCategoryCode");
    const subtotals = vat.filter(
      (subtotal) =>
        subtotal.rate.equals(rate) &&
        (category === "" || subtotal.category === category),
    );
    const what = `${category} ${rate.toFixed()} %`.trim();
    compare(
      entry,
      "vatCategoryTaxableAmount",
      sum(subtotals.map(({ taxable }) => taxable)),
      { rule: "BR-CO-18", what: `the amount with VAT of ${what}` },
      problems,
    );
    compare(
      entry,
      "vatCategoryTaxAmount",
      sum(subtotals.map(({ tax }) => tax)),
      { rule: "BR-CO-17", what: `the VAT of ${what}` },
      problems,
    );
  }
}

function compare<Term extends string>(
  entry: Entry<Term>,
  term: Term,
  calculated: Decimal,
  comparison: Comparison,
  problems: EinvoiceProblem[],
): void {
  const given = entry.number(term);
  if (given === null || given.equals(calculated)) return;
  problems.push(
    describeDifference(entry.source(term), given, calculated, comparison),
  );
}

function describeDifference(
  source: TermSource,
  given: Decimal,
  calculated: Decimal,
  { rule, what }: Comparison,
): EinvoiceProblem {
  const { field } = source;
  return {
    ...locate(source),
    code: rule,
    message: `The record says ${given.toFixed(2)}, but ${what} is ${calculated.toFixed(2)} (${rule}).`,
    hint: `Correct ${field === null ? "it" : `\`${field}\``}, or what it is calculated from.`,
  };
}
