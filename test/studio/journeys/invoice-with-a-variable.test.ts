import { expect } from "chai";
import { describe, it } from "mocha";
import {
  newTemplate,
  printed,
  publishDraft,
  typeAt,
  useJourneys,
} from "../../support/journeys.js";
import { useService } from "../../support/service.js";

describe("a user who sends an invoice", () => {
  const service = useService();
  const signIn = useJourneys(service);

  it("starts from the example, inserts a variable into a text, and prints it", async () => {
    const { page } = await signIn("editor");
    await newTemplate(page, "Invoice", "Our invoice");
    await typeAt(page, "Billed to");
    await page.keyboard.type(" our friends at /customer name");
    const menu = page.getByRole("listbox", { name: "Your data" });
    const chosen = menu.getByRole("option", { selected: true });
    await chosen.getByText("Meridian Coffee Roasters KG").waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.type(", since 2019");
    await publishDraft(page, "Friends");
    const { pages } = await printed(page);
    expect(pages[0]).to.include(
      "our friends at Meridian Coffee Roasters KG, since 2019",
    );
  });
});
