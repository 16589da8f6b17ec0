import { expect } from "chai";
import { describe, it } from "mocha";
import { checkSample } from "../../../core/definition/index.js";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import { withSample } from "../../../plugins/studio/app/src/editor/fields/make-sample.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { openEditor } from "../../support/studio-editor.js";
import {
  pressButton,
  runAxe,
  useStudio,
  waitForDialogToClose,
  waitForText,
} from "../../support/studio.js";

const definition: ProjectData = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "number", type: "String", required: true },
        { name: "note", type: "String" },
        { name: "email", type: "String" },
        { name: "paid", type: "String", sample: true },
        { name: "dueOn", type: "Date" },
        { name: "tax", type: "Number", format: "percent" },
        { name: "lines", type: "OneToManyLink", target: "lines" },
      ],
    },
    {
      id: "lines",
      fields: [
        { name: "title", type: "String" },
        { name: "price", type: "Number", required: true },
        { name: "parts", type: "OneToManyLink", target: "parts" },
      ],
    },
    { id: "parts", fields: [{ name: "name", type: "String" }] },
  ],
  sample: {
    number: "2026-117",
    note: "Thank you for your order.",
    email: "ada@example.org",
    paid: true,
    dueOn: "2026-12-31",
    tax: 0.19,
    lines: [
      { title: "Paper", price: 12.5, parts: [] },
      { title: "Ink", price: 30, parts: [{ name: "Bottle" }] },
    ],
  },
  components: [
    { type: "text", id: "number", text: "Invoice {{ root.number }}" },
    { type: "text", id: "note", text: "Note: {{ root.note }}" },
    {
      type: "text",
      id: "line",
      collection: { collectionId: "line", path: "root.lines" },
      text: "{{ line.title }}: {{ line.price | currency }}",
    },
    { type: "text", id: "count", text: "Lines: {{ COUNT(root.lines) }}" },
  ],
};

const derive = (name: string) => withSample(definition, name).sample;

describe("samples that follow from the fields", () => {
  it("are short: without what is not required, and with one entry in each list", () => {
    expect(derive("short")).to.eql({
      number: "2026-117",
      note: null,
      email: null,
      paid: null,
      dueOn: null,
      tax: null,
      lines: [{ title: "Paper", price: 12.5, parts: [{ name: "Name 1" }] }],
    });
  });

  it("are long: with long texts and lists, and addresses as they are", () => {
    const sample = derive("long");
    expect(sample).to.include({ number: "2026-117", email: "ada@example.org" });
    const { note, lines } = Object(sample);
    expect(note).to.match(/^(?:Thank you for your order\. ?){4}$/);
    expect(lines).to.have.lengthOf(60);
    expect(lines[1].parts).to.have.lengthOf(3);
  });

  it("are extreme: with every kind of text in every column, and values of all types that fit the fields", () => {
    const sample = derive("extreme");
    expect(sample).to.include({ email: "ada@example.org", paid: false });
    const titles: unknown[] = Object(sample).lines.map(
      ({ title }: { title: string }) => title,
    );
    const all = titles.join(" ");
    expect(all).to.match(/\p{Script=Arabic}/u);
    expect(all).to.match(/\p{Emoji_Presentation}/u);
    expect(all).to.match(/\p{L}{60}/u);
    expect(all).to.contain("<b>");
    for (const name of ["short", "long", "extreme"])
      expect(
        checkSample(definition, derive(name)).filter(
          ({ code }) => code !== "empty_value",
        ),
        name,
      ).to.eql([]);
  });

  it("are replaced by stored ones of the same name, and by the template's own when a name is gone", () => {
    const samples = { short: { number: "1" }, Berlin: { number: "2" } };
    const stored = { ...definition, samples };
    expect(withSample(stored, "short").sample).to.eql({ number: "1" });
    expect(withSample(stored, "Berlin").sample).to.eql({ number: "2" });
    expect(withSample(stored, "gone").sample).to.equal(definition.sample);
    expect(withSample(stored, null)).to.equal(stored);
  });
});

describe("the samples of a template", () => {
  const service = useService();
  const signIn = useStudio(service);
  const shown = '[aria-label="Shown sample"]';

  it("are switched on the page, for the preview and for the checks together", async () => {
    const user = await signIn("editor");
    const opened = await openEditor(service, user, definition);
    const { page, draft, pageErrors } = opened;
    await waitForText(page, "Lines: 2");
    await page.select(`.canvas-foot ${shown}`, "long");
    await waitForText(page, "Lines: 60");
    await page.select(`.canvas-foot ${shown}`, "short");
    await waitForText(page, "Lines: 1");
    await waitForText(page, "1 empty field");
    await pressButton(page, "1 empty field");
    expect(await runAxe(page)).to.eql([]);
    await pressButton(page, "Show Note in the sample data");
    await page.waitForFunction(
      `document.activeElement.matches('dialog [aria-label="Note"]')`,
    );
    await waitForText(page, "Fields that aren't required are empty");
    expect(await runAxe(page)).to.eql([]);
    // A changed sample is stored, and the main one stays as it is.
    await page.keyboard.type("Paid");
    await eventually(async () => {
      const { sample, samples } = await draft();
      expect(sample).to.eql(definition.sample);
      return JSON.stringify(samples?.["short"] ?? null).includes(
        '"note":"Paid"',
      );
    });
    await pressButton(page, "Done");
    await waitForDialogToClose(page);
    await waitForText(page, "Note: Paid");
    await pressButton(page, "Preview");
    await page.waitForSelector(".preview-paper canvas, .preview-paper img");
    expect(
      await page.$eval(".record-choice select", ({ value }) => value),
    ).to.equal("short");
    await page.select(".record-choice select", "");
    await waitForText(page, "Lines: 2");
    expect(pageErrors).to.eql([]);
  });

  it("are copied under names, renamed and deleted", async () => {
    const user = await signIn("editor");
    const opened = await openEditor(service, user, definition);
    const { page, draft, pageErrors } = opened;
    await pressButton(page, "Data");
    await pressButton(page, "Sample data");
    const act = async (words: string) => {
      await pressButton(page, "Actions for this sample");
      await page.locator(`dialog [role=menuitem] ::-p-text(${words})`).click();
    };
    await act("Add a copy as a new sample");
    await page
      .locator('::-p-aria([name="Name"][role="textbox"])')
      .fill("short");
    await pressButton(page, "Add");
    await waitForText(page, "Another sample already has this name.");
    await page
      .locator('::-p-aria([name="Name"][role="textbox"])')
      .fill("Berlin");
    await pressButton(page, "Add");
    await eventually(async () => {
      const { samples } = await draft();
      return samples?.["Berlin"] !== undefined;
    });
    await act("Rename");
    await page.locator('::-p-aria([name="Name"][role="textbox"])').fill("Bonn");
    await page.locator("dialog .dialog-end ::-p-text(Rename)").click();
    await eventually(async () =>
      Object.keys((await draft()).samples ?? {}).includes("Bonn"),
    );
    expect(
      await page.evaluate(`document.querySelector('dialog ${shown}').value`),
    ).to.equal("Bonn");
    await act("Delete");
    await eventually(async () => (await draft()).samples === undefined);
    expect(pageErrors).to.eql([]);
  });

  it("get the new name of a renamed field, all of them", async () => {
    const user = await signIn("editor");
    const { page, draft } = await openEditor(service, user, {
      ...definition,
      samples: { Berlin: { number: "1", note: "Hello" } },
    });
    await pressButton(page, "Data");
    await page.locator(".data-name ::-p-text(Note)").click();
    await pressButton(page, "Rename note in the data");
    await page.locator("dialog input").fill("remark");
    await page.locator("dialog .button.primary").click();
    await eventually(async () => {
      const { samples } = await draft();
      return (
        JSON.stringify(samples) === '{"Berlin":{"number":"1","remark":"Hello"}}'
      );
    });
  });
});
