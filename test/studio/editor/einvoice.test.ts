import { expect } from "chai";
import { describe, it } from "mocha";
import { blueprint } from "../../../core/templates/blueprints/index.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { openEditor } from "../../support/studio-editor.js";
import { pressButton, useStudio } from "../../support/studio.js";

const { einvoice: _einvoice, ...invoice } = blueprint("invoice").definition;

/** Opens the group that is folded without an e-invoice, and chooses a profile. */
const CHOOSE = (profile: string) => `(() => {
  const group = [...document.querySelectorAll("details.prop-group")]
    .find((one) => one.innerText.includes("E-invoice"));
  group.open = true;
  group.scrollIntoView();
  const select = group.querySelector("select");
  select.value = ${JSON.stringify(profile)};
  select.dispatchEvent(new Event("change", { bubbles: true }));
})()`;

describe("the e-invoice of a template in the editor", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("begins with the fields that the schema's names suggest", async () => {
    const { page, draft } = await openEditor(service, await signIn(), invoice);
    await page.evaluate(CHOOSE("factur-x-en16931"));
    const { profile, map } = await eventually(
      async () => (await draft()).einvoice,
    );
    expect(profile).to.equal("factur-x-en16931");
    expect(map).to.deep.include({
      invoiceNumber: "root.number",
      issueDate: "root.issuedOn",
      paymentDueDate: "root.dueOn",
      sellerName: "root.seller.name",
      sellerVatIdentifier: "root.seller.vatId",
      buyerName: "root.customer.name",
      buyerCountryCode: "root.customer.country",
      paymentAccountIdentifier: "root.bank.iban",
      invoiceTotalAmountWithVat: "root.total",
      lines: {
        each: "line in root.lines",
        itemName: "line.description",
        invoicedQuantity: "line.quantity",
        unitOfMeasureCode: "line.unit",
        itemNetPrice: "line.rate",
        vatRate: "line.taxRate",
        lineNetAmount: "line.amount",
      },
    });
  });

  it("shows in place what the sample breaks, until it is filled", async () => {
    const { page, draft } = await openEditor(service, await signIn(), invoice);
    await page.evaluate(CHOOSE("factur-x-en16931"));
    await pressButton(page, "Assign fields");
    await page.waitForFunction(
      'document.querySelector(".einvoice-problem")?.innerText.includes("The seller has no country (BR-09).")',
    );
    const country = ".einvoice-term:has(.einvoice-problem) input";
    await page.locator(country).fill('"DE"');
    await page.waitForFunction(
      '!document.querySelector(".einvoice")?.innerText.includes("BR-09")',
    );
    const saved = await eventually(
      async () => (await draft()).einvoice?.map.sellerCountryCode,
    );
    expect(saved).to.equal('"DE"');
  });

  it("says that the sample keeps all rules", async () => {
    const { definition } = blueprint("german-invoice");
    const user = await signIn();
    const { page } = await openEditor(service, user, definition);
    await page.evaluate(CHOOSE("factur-x-en16931"));
    await pressButton(page, "Assign fields");
    await page.waitForFunction(
      'document.querySelector(".einvoice-state")?.innerText === "The sample keeps all rules of this profile."',
    );
    expect(user.pageErrors).to.deep.equal([]);
  });
});
