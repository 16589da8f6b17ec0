import { EventEmitter, once } from "node:events";
import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "playwright-core";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import { eventually } from "../../support/eventually.js";
import {
  fetchDraft,
  openTemplate,
  paper,
  typeAt,
  useJourneys,
} from "../../support/journeys.js";
import { useService } from "../../support/service.js";

const definition: ProjectData = {
  schema: [{ id: "root", fields: [] }],
  components: ["One", "Two", "Three", "Four"].map((text) => ({
    type: "text",
    id: text.toLowerCase(),
    text: `${text}.`,
  })),
};

async function write(page: Page, at: string, words: string): Promise<void> {
  await typeAt(page, at);
  await page.keyboard.type(words);
  await page.keyboard.press("Escape");
}

/** Keeps what a page saves from the service. @returns what lets it through. */
async function holdSaves(page: Page): Promise<() => Promise<void>> {
  const gate = new EventEmitter();
  const isOpen = once(gate, "open");
  const saves = "**/studio/api/drafts/*";
  await page.route(saves, async (route) => {
    if (route.request().method() === "PUT") await isOpen;
    await route.continue();
  });
  return async () => {
    gate.emit("open");
    await page.unroute(saves);
  };
}

async function getTexts(page: Page): Promise<unknown[]> {
  const { components } = await fetchDraft(page);
  return components.map((one) => ("text" in one ? one.text : one.type));
}

describe("two people who edit one template at once", () => {
  const service = useService();
  const signIn = useJourneys(service);

  it("both end up with what both have written", async () => {
    const ada = await signIn("editor");
    const bob = await signIn("editor", ada.person.organizationId);
    await openTemplate(ada, definition);
    await bob.page.goto(ada.page.url());
    await paper(bob.page).waitFor();
    // Different texts, while both stay in theirs.
    await Promise.all([
      write(ada.page, "One.", " By Ada, with a long run of words."),
      write(bob.page, "Two.", " By Bob, who types as fast as she does."),
    ]);
    const both = [
      "One. By Ada, with a long run of words.",
      "Two. By Bob, who types as fast as she does.",
    ];
    for (const { page } of [ada, bob])
      for (const words of both) await paper(page).getByText(words).waitFor();
    // The same text, and Ada's arrives last.
    let release = await holdSaves(ada.page);
    await write(ada.page, "Three.", " Ada again.");
    await write(bob.page, "Three.", " Bob again.");
    await eventually(
      async () => (await getTexts(bob.page))[2] === "Three. Bob again.",
    );
    await release();
    const dialog = ada.page.getByRole("dialog");
    await dialog.getByRole("radio", { name: "Three. Ada again." }).waitFor();
    await dialog.getByRole("radio", { name: "Three. Bob again." }).check();
    await dialog.getByRole("button", { name: "Merge" }).click();
    await paper(ada.page).getByText("Three. Bob again.").waitFor();
    // One deletes what the other writes in.
    release = await holdSaves(ada.page);
    await paper(ada.page).getByText("Four.").click();
    await ada.page.keyboard.press("Delete");
    await write(bob.page, "Four.", " Still needed.");
    await eventually(
      async () => (await getTexts(bob.page))[3] === "Four. Still needed.",
    );
    await release();
    await ada.page
      .getByText("that the other was editing, so it was kept")
      .waitFor();
    for (const { page } of [ada, bob])
      await paper(page).getByText("Four. Still needed.").waitFor();
    expect(await getTexts(ada.page)).to.deep.equal([
      ...both,
      "Three. Bob again.",
      "Four. Still needed.",
    ]);
  });
});
