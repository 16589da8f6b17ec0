import { expect } from "chai";
import { describe, it } from "mocha";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import {
  openTemplate,
  paper,
  printed,
  publishDraft,
  useJourneys,
} from "../../support/journeys.js";
import { useService } from "../../support/service.js";

const definition: ProjectData = {
  schema: [{ id: "root", fields: [] }],
  components: [
    { type: "text", id: "one", text: "First part" },
    { type: "text", id: "two", text: "Second part" },
    { type: "page-break", id: "end" },
    { type: "text", id: "three", text: "Third part" },
  ],
};

describe("a user who designs a document", () => {
  const service = useService();
  const signIn = useJourneys(service);

  it("rotates the paper, numbers the pages, and shares a style between two components", async () => {
    const session = await signIn("editor");
    const { page } = session;
    const id = await openTemplate(session, definition);
    const properties = page.getByRole("complementary", { name: "Properties" });
    const size = properties.getByLabel("Size");
    // The paper, while nothing is selected.
    await size.selectOption({ label: "A5 (148 × 210 mm)" });
    await properties.getByRole("button", { name: "Landscape" }).click();
    await page.getByRole("button", { name: "Add a header" }).click();
    await properties.getByRole("heading", { name: "Text" }).waitFor();
    await page.getByRole("button", { name: "Page number" }).click();
    // A look that gets a name, and is put on another part.
    await paper(page).getByText("First part").click();
    await properties.getByRole("tab", { name: "Style" }).click();
    await size.fill("20pt");
    await properties.getByLabel("Save as style").fill("loud");
    const keep = { name: "Save the style" };
    await properties.getByRole("button", keep).click();
    await paper(page).getByText("Second part").click();
    await properties.getByLabel("Add style").selectOption("loud");
    const change = { name: "Edit the style loud" };
    await properties.getByRole("button", change).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("2 components use it.").waitFor();
    const align = dialog.getByRole("group", { name: "Align" });
    await align.getByRole("button", { name: "Right" }).click();
    await dialog.getByRole("button", { name: "Done" }).click();
    await publishDraft(page);
    const { pages } = await printed(page);
    expect(pages).to.have.length(2);
    expect(pages[0]).to.include("First part").and.include("Page 1 of 2");
    expect(pages[1]).to.include("Third part").and.include("Page 2 of 2");
    const response = await page.request.get(
      `${service.url}/api/templates/${id}`,
    );
    const text = await response.text();
    expect(text).to.include('"loud":{"font-size":"20pt","text-align":"right"}');
    expect(text).to.include('"size":"A5","landscape":true');
    expect(text.match(/"class":"loud"/g)).to.have.length(2);
  });
});
