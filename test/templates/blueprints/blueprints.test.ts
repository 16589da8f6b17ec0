import { readFileSync } from "node:fs";
import { expect } from "chai";
import { Decimal } from "decimal.js";
import mjml2html from "mjml";
import { z } from "zod";
import {
  compileTemplate,
  inlineAssets,
  overlayHtml,
  type MergedDocument,
} from "../../../core/compiler/index.js";
import { checkDefinition } from "../../../core/definition/index.js";
import { PlatenError } from "../../../core/plugin-api/index.js";
import {
  blueprint,
  blueprints,
  parseBlueprint,
  type Blueprint,
} from "../../../core/templates/blueprints/index.js";
import { OPTIONS, withOwnImages } from "../../compiler/support.js";
import { readPdf } from "../../support/read-pdf.js";
import { ample, sharedRenderer } from "../../support/renderer.js";

describe("the list of blueprints", () => {
  it("has documents before emails, each with a sample record", () => {
    const all = blueprints();
    const types = all.map(({ templateType }) => templateType);
    expect(types).to.deep.equal(types.toSorted());
    for (const { id, name, description, definition } of all) {
      expect(id).to.match(/^[a-z-]+$/);
      expect(name, id).not.to.equal("");
      expect(description, id).not.to.equal("");
      expect(definition.sample, id).to.be.an("object");
    }
  });

  it("lists the existing ids for an unknown id", () => {
    expect(() => blueprint("invioce"))
      .to.throw(PlatenError, /There is no blueprint "invioce".*invoice/)
      .with.property("code", "not_found");
  });

  it("allows extensions and reports every problem of a definition", () => {
    const { id: _id, ...letter } = blueprint("invoice");
    const components = [{ type: "divider", id: "a", "x-note": 1 }];
    const more = { "x-editor": {}, components };
    const definition = { ...letter.definition, ...more };
    expect(parseBlueprint({ ...letter, definition }).definition).to.include(
      more,
    );
    const broken = { ...definition, components: [{}, {}] };
    expect(() => parseBlueprint({ ...letter, definition: broken }))
      .to.throw(PlatenError)
      .with.property("problems")
      .with.length(2);
  });
});

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

describe("a nearly empty record", () => {
  for (const one of blueprints())
    it(`still renders ${one.id}, and the report names the missing values`, () => {
      const { html, report } = merged(one, { number: "2026-001" });
      expect(report.missing).not.to.deep.equal([]);
      expect(html).not.to.match(/NaN|undefined|\bnull\b|Invalid Date/);
    });
});

describe("every blueprint", () => {
  for (const { id, definition, templateType } of blueprints()) {
    it(`${id} is valid without a warning, finds all its values in its sample, and has a file name`, () => {
      const { problems, warnings } = checkDefinition(definition, templateType);
      expect({ problems, warnings }).to.eql({ problems: [], warnings: [] });
      const { report, fileName, assets } = mergedSample(id);
      expect(report.missing).to.deep.equal([]);
      expect(report.refusedImages).to.deep.equal([]);
      expect(assets, "images from elsewhere").to.deep.equal([]);
      expect(fileName).to.match(/\S/).and.not.contain("{{");
    });

    it(`${id} becomes valid MJML without markers of its conditions`, async () => {
      const program = compileTemplate(definition, templateType);
      const { mjml } = program.mjml(Object(definition.sample), OPTIONS);
      const { errors } = await mjml2html(mjml, { validationLevel: "soft" });
      expect(errors.map((error) => error.formattedMessage)).to.deep.equal([]);
      expect(mjml).not.to.match(/<mj-raw>|\{%|\{\{/);
    });
  }
});

/** Blueprints with the size of their pages in points, and what each page must show, on a line of its own. */
const printed = readFileSync(new URL("pages.txt", import.meta.url), "utf8")
  .trimEnd()
  .split(/\n(?! )/)
  .map((section) => {
    const [head = "", ...pages] = section.split("\n");
    const [id = "", size = ""] = head.split(" ");
    const [width = 0, height = 0] = size.split("x").map(Number);
    return { id, width, height, pages: pages.map((one) => one.split("|")) };
  });

describe("a printed blueprint", () => {
  it("is each that the gallery lists", () => {
    const ids = blueprints().map(({ id }) => id);
    expect(printed.map(({ id }) => id)).to.have.members(ids);
  });

  for (const { id, width, height, pages } of printed)
    it(`${id} has its pages with their main content`, async () => {
      const found = await print(id);
      expect(found).to.have.length(pages.length);
      for (const [index, texts] of pages.entries()) {
        const page = found[index];
        expect(page?.widthPt).to.be.closeTo(width, 1);
        expect(page?.heightPt).to.be.closeTo(height, 1);
        // A PDF sets spaces as it likes.
        for (const text of texts)
          expect(packed(page?.text), `page ${index + 1}`).to.contain(
            packed(text),
          );
      }
    });
});

async function print(id: string) {
  const document = mergedSample(id);
  const renderer = await sharedRenderer();
  const html = inlineAssets(document, new Map());
  const { overlay } = document;
  const { bytes } = await renderer.pdf({
    html,
    ...(overlay && { overlay: (pages: number) => overlayHtml(overlay, pages) }),
    deadline: ample(),
  });
  return readPdf(bytes);
}

function packed(text = ""): string {
  return text.replaceAll(/\s/g, "").replaceAll("’", "'");
}

/** A blueprint merged with its own sample record. */
function mergedSample(id: string): MergedDocument {
  return merged(blueprint(id), blueprint(id).definition.sample);
}

/** @param data instead of the sample */
function merged(
  { definition, templateType }: Blueprint,
  data: unknown,
): MergedDocument {
  const checked = checkDefinition(definition, templateType).definition;
  if (checked === null) throw new Error("The blueprint is refused.");
  const document = compileTemplate(checked, templateType).merge(data, {
    isTest: false,
    now: new Date("2026-06-15T12:00:00Z"),
  });
  return withOwnImages(document);
}
