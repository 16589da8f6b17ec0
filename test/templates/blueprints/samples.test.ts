import { expect } from "chai";
import { Decimal } from "decimal.js";
import { describe, it } from "mocha";
import { z } from "zod";
import { compileTemplate } from "../../../core/compiler/index.js";
import {
  blueprint,
  blueprints,
} from "../../../core/templates/blueprints/index.js";

const amounts = z.array(z.looseObject({ amount: z.number() }));

function sum(values: readonly number[]): number {
  return Decimal.sum(0, ...values).toNumber();
}

function getSum(lines: z.infer<typeof amounts>): number {
  return sum(lines.map(({ amount }) => amount));
}

describe("the sample records are consistent:", () => {
  it("invoice: lines, discount and taxes make the total", () => {
    const line = { quantity: z.number(), rate: z.number(), amount: z.number() };
    const taxes = { rate: z.number(), base: z.number(), amount: z.number() };
    const record = z
      .looseObject({
        lines: z.array(z.looseObject(line)),
        discount: z.looseObject({ percent: z.number(), amount: z.number() }),
        taxes: z.array(z.looseObject(taxes)),
        total: z.number(),
      })
      .parse(blueprint("invoice").definition.sample);
    const { lines, discount, total } = record;
    for (const { quantity, rate, amount } of lines)
      expect(amount).to.equal(new Decimal(quantity).times(rate).toNumber());
    for (const { rate, base, amount } of record.taxes)
      expect(amount).to.equal(getPercentage(rate, base));
    expect(discount.amount).to.equal(
      getPercentage(discount.percent, getSum(lines)),
    );
    const net = sum([getSum(lines), -discount.amount]);
    expect(sum(record.taxes.map(({ base }) => base))).to.equal(net);
    expect(sum([net, getSum(record.taxes)])).to.equal(total);
  });

  for (const { id, definition } of blueprints())
    if (definition.einvoice !== undefined)
      it(`${id}: its e-invoice breaks no rule, and its totals are those of the lines`, () => {
        const program = compileTemplate(definition, "document");
        const options = { isTest: false, now: new Date() };
        const checked = program.einvoice(definition.sample, options);
        expect(checked.problems).to.deep.equal([]);
      });

  it("statement: each balance follows from the one before", () => {
    const amount = z.number().nullable();
    const entry = { out: amount, in: amount, balance: z.number() };
    const { opening, closing, transactions } = z
      .looseObject({
        opening: z.number(),
        closing: z.number(),
        transactions: z.array(z.looseObject(entry)),
      })
      .parse(blueprint("statement").definition.sample);
    expect(transactions).to.have.length(200);
    let balance = opening;
    for (const row of transactions) {
      balance = sum([balance, row.in ?? 0, -(row.out ?? 0)]);
      expect(row.balance).to.equal(balance);
    }
    expect(closing).to.equal(balance);
  });

  it("report: both tables of revenue have the same sum", () => {
    const { routes, revenue } = z
      .looseObject({
        routes: z.array(z.looseObject({ revenue: z.number() })),
        revenue: amounts,
      })
      .parse(blueprint("report").definition.sample);
    expect(sum(routes.map((route) => route.revenue))).to.equal(getSum(revenue));
  });

  for (const [id, list] of [
    ["quote", "items"],
    ["quote", "options"],
    ["receipt", "items"],
    ["purchase-order", "lines"],
    ["order-confirmation", "items"],
  ] as const)
    it(`${id}: quantity times price is the amount of each of its ${list}`, () => {
      const line = {
        quantity: z.number(),
        price: z.number(),
        amount: z.number(),
      };
      const record = z
        .looseObject({ [list]: z.array(z.looseObject(line)).min(1) })
        .parse(blueprint(id).definition.sample);
      for (const { quantity, price, amount } of record[list] ?? [])
        expect(amount).to.equal(new Decimal(quantity).times(price).toNumber());
    });
});

function getPercentage(percent: number, amount: number): number {
  return new Decimal(amount)
    .times(percent)
    .div(100)
    .toDecimalPlaces(2)
    .toNumber();
}
