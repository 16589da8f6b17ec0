import { expect } from "chai";
import { describe, it } from "mocha";
import { openTemplate, paper, useJourneys } from "../support/journeys.js";
import { useService } from "../support/service.js";

describe("the pages of the studio", () => {
  const service = useService();
  const signIn = useJourneys(service);

  it("look the same whichever pages were open before", async () => {
    const session = await signIn("owner");
    const { page } = session;
    await openTemplate(session, {
      schema: [{ id: "root", fields: [] }],
      components: [{ type: "text", id: "words", text: "Dear all" }],
    });
    const sheet = paper(page).locator(".sheet");
    const search = page.getByRole("searchbox");
    const sheetAtFirst = await sheet.boundingBox();
    await page.goto(`${service.url}/studio/`);
    const searchAtFirst = await search.boundingBox();
    await page.getByRole("link", { name: "Connect a spreadsheet" }).click();
    await page.getByRole("heading", { level: 2 }).first().waitFor();
    await page.getByRole("link", { name: "Templates" }).first().click();
    await page.getByRole("link", { name: "Letter" }).first().click();
    await page.getByRole("link", { name: "Edit" }).click();
    await sheet.waitFor();
    expect(await sheet.boundingBox()).to.deep.equal(sheetAtFirst);
    await page.goBack();
    await page.getByRole("link", { name: "Templates" }).first().click();
    expect(await search.boundingBox()).to.deep.equal(searchAtFirst);
  });
});
