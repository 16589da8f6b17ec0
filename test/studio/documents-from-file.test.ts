import { expect } from "chai";
import { describe, it } from "mocha";
import { Organization } from "../../core/storage/database/index.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";
import {
  pressButton,
  useStudio,
  waitForHeading,
  waitForText,
} from "../support/studio.js";

const definition = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "number", label: "Invoice no", type: "String" },
        { name: "total", label: "Total", type: "Number" },
      ],
    },
  ],
  components: [{ type: "text", text: "No. {{ root.number }}" }],
};

/** Drops a text file on the page. */
const dropScript = (text: string, name: string) => `(() => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
  document.querySelector(".file-drop").dispatchEvent(
    new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: transfer }),
  );
})()`;

describe("a file on a template in the studio", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("becomes documents: dropped, mapped, seen, made and downloaded with links", async () => {
    const { page, pageErrors, ...owner } = await signIn("editor");
    await service.store.unitOfWork.run((tx) =>
      tx.update(
        Organization,
        { id: owner.organizationId },
        { plan: "premium" },
      ),
    );
    const id = await publish(service.store, owner, {
      name: "Invoice",
      definition,
    });
    await page.goto(`${service.url}/studio/templates/${id}`);
    await pressButton(page, "Create documents from a file");
    await waitForHeading(page, "Create documents from a file");
    await page.waitForSelector(".file-drop");

    // A wrong value is named by its row and column, and nothing can be made.
    await page.evaluate(
      dropScript("Invoice no;Sum;Total\n1;2;x\n", "wrong.csv"),
    );
    await waitForText(page, 'row 2, column "Total"');
    await waitForText(page, '"x" is not a number');

    await page.evaluate(
      dropScript("Invoice no;Sum;Total\nA-1;7,50;\nA-2;8,00;\n", "orders.csv"),
    );
    await waitForText(page, "2 rows");
    await waitForText(page, "A-1 · A-2");
    const select = await page.waitForSelector(
      '::-p-aria([name="Field for the column Sum"])',
    );
    await select?.select("total");
    // The preview is made of the first row.
    await page.waitForSelector("img.first-document");
    await pressButton(page, "Create 2 documents");
    await waitForHeading(page, "Batch of Invoice");
    await waitForText(page, "2 of 2");
    const links = await page.$$eval(".button[download]", (all) =>
      all.map(({ textContent }) => textContent),
    );
    expect(links).to.deep.equal(["Download all", "Download rows with links"]);
    expect(pageErrors).to.deep.equal([]);
  });
});
