import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "playwright-core";
import { eventually } from "../../support/eventually.js";
import {
  fetchDraft,
  newTemplate,
  publishDraft,
  typeAt,
  useJourneys,
} from "../../support/journeys.js";
import { useService } from "../../support/service.js";

/** Types at the end of a text of the page. */
async function write(page: Page, at: string, words: string): Promise<void> {
  await typeAt(page, at);
  await page.keyboard.type(words);
  await page.keyboard.press("Escape");
}

describe("a user who writes a newsletter", () => {
  const service = useService();
  const signIn = useJourneys(service);

  it("changes subject and button, previews it on a phone, and restores a version", async () => {
    const { page } = await signIn("editor");
    await newTemplate(page, "Newsletter", "News");
    const drafted = async () => JSON.stringify(await fetchDraft(page));
    await page.getByRole("textbox", { name: "Subject" }).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(", /first name");
    const menu = page.getByRole("listbox", { name: "Your data" });
    await menu
      .getByRole("option", { selected: true })
      .getByText("Tomasz")
      .waitFor();
    await page.keyboard.press("Enter");
    await write(page, "Read the issue", " and more");
    await page.getByRole("button", { name: "Preview" }).click();
    const preview = page.getByRole("complementary", { name: "Preview" });
    await preview.getByText("Phone").click();
    await preview.getByRole("img", { name: "Email preview" }).waitFor();
    await publishDraft(page, "For readers");
    const published = await drafted();
    expect(published).to.include("Read the issue and more");
    const { email } = await fetchDraft(page);
    expect(email?.subject).to.equal(
      "{{ root.headline }}, {{ root.reader.firstName }}",
    );
    // Another thought, and back.
    await write(page, "In the diary", " of May");
    await eventually(async () => (await drafted()).includes("of May"));
    await page
      .getByRole("group", { name: "View" })
      .getByText("Versions")
      .click();
    await page.getByText("For readers").click();
    await page.getByText("In the diary of May").first().waitFor();
    await page.getByRole("button", { name: "Restore this version" }).click();
    await eventually(async () => (await drafted()) === published);
    await page.getByRole("link", { name: "Back to the template" }).click();
    await page.getByRole("button", { name: "Create document" }).click();
    const arriving = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download" }).click();
    const html = await readFile(await (await arriving).path(), "utf8");
    expect(html)
      .to.include("Read the issue and more")
      .and.not.include("of May");
  });
});
