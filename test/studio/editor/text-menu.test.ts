import { expect } from "chai";
import { describe, it } from "mocha";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import { runAxe, waitForText, useStudio } from "../../support/studio.js";
import { useService } from "../../support/service.js";
import {
  openEditor,
  pressKeys,
  menuShows,
  startTyping,
  waitForTextOfDraft,
} from "../../support/studio-editor.js";

const definition: ProjectData = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "issuedOn", type: "Date" },
        { name: "lines", type: "OneToManyLink", target: "lines" },
      ],
    },
    {
      id: "lines",
      fields: [
        { name: "title", type: "String" },
        { name: "amount", type: "Number", label: "Net amount" },
        { name: "quantity", type: "Number" },
      ],
    },
  ],
  components: [
    {
      id: "each",
      type: "text",
      text: "",
      collection: { collectionId: "line", path: "root.lines" },
    },
  ],
  sample: {
    issuedOn: "2026-11-21",
    lines: [{ title: "Work", amount: 12.5, quantity: 3 }],
  },
};

describe("the field menu of a text", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("opens on a slash, filters by the typed text and inserts the chosen field", async () => {
    const editor = await openEditor(service, await signIn(), definition);
    const { page, pageErrors } = editor;
    await startTyping(page, "each");
    await page.keyboard.type("Pays /");
    await menuShows(page, "Title", "Work");
    await page.keyboard.type("amount net");
    await menuShows(page, "Net amount", "12.5");
    expect(await runAxe(page)).to.eql([]);
    await pressKeys(page, "Enter");
    await page.keyboard.type(" since /issued");
    await menuShows(page, "Issued on", "Nov 21, 2026");
    await pressKeys(page, "Tab");
    await page.keyboard.type(", and/or {{titl");
    await menuShows(page, "Title", "Work");
    await pressKeys(page, "Enter");
    const expected =
      'Pays {{ line.amount }} since {{ root.issuedOn | date("medium") }}, and/or {{ line.title }}';
    await waitForTextOfDraft(editor, expected);
    expect(pageErrors).to.eql([]);
  });

  it("inserts a sum in two further steps and closes on Escape", async () => {
    const editor = await openEditor(service, await signIn(), definition);
    const { page, pageErrors } = editor;
    await startTyping(page, "each");
    await page.keyboard.type("/sum");
    await menuShows(page, "Sum of a list");
    await pressKeys(page, "Enter");
    await waitForText(page, "Sum of a list: which list?");
    await menuShows(page, "Lines");
    await pressKeys(page, "Enter");
    await menuShows(page, "Net amount");
    await pressKeys(page, "Enter");
    await page.keyboard.type(" /later");
    await pressKeys(page, "Escape");
    await page.keyboard.type(" \\{{x");
    await pressKeys(page, "Escape");
    const expected = "{{ SUM(root.lines, amount) }} /later \\\\{{x";
    await waitForTextOfDraft(editor, expected);
    expect(pageErrors).to.eql([]);
  });

  it("multiplies two chosen fields and sums such products, which keep their format settings", async () => {
    const editor = await openEditor(service, await signIn(), definition);
    const { page, pageErrors } = editor;
    await startTyping(page, "each");
    await page.keyboard.type("/multiply");
    await menuShows(page, "Multiply two fields");
    await pressKeys(page, "Enter");
    await waitForText(page, "Which field first?");
    await page.keyboard.type("quant");
    await menuShows(page, "Quantity", "3");
    await pressKeys(page, "Enter");
    await waitForText(page, "Quantity and which other field?");
    await menuShows(page, "Net amount", "12.5");
    await pressKeys(page, "Enter");
    await page.waitForFunction(
      `document.querySelector(".text-typing .chip")?.textContent === "Quantity × Net amount"`,
    );
    await page.locator(".text-typing .chip").click();
    await waitForText(page, "Shows 37.5");
    await page.select("::-p-aria(Format)", '["currency"]');
    await waitForText(page, "Shows $37.50");
    await pressKeys(page, "Escape", "ArrowRight");
    await page.keyboard.type("/sum of");
    await menuShows(page, "Sum of a list");
    await pressKeys(page, "Enter");
    await menuShows(page, "Lines");
    await pressKeys(page, "Enter");
    await page.keyboard.type("mult");
    await menuShows(page, "Multiply two fields");
    await pressKeys(page, "Enter");
    await menuShows(page, "Net amount");
    await pressKeys(page, "Enter");
    await page.keyboard.type("quant");
    await menuShows(page, "Quantity");
    await pressKeys(page, "Enter");
    await page.waitForFunction(
      `[...document.querySelectorAll(".text-typing .chip")].at(-1)?.textContent === "Sum of Net amount × Quantity"`,
    );
    const expected =
      "{{ line.quantity * line.amount | currency }}{{ SUM(root.lines, amount * quantity) }}";
    await waitForTextOfDraft(editor, expected);
    expect(pageErrors).to.eql([]);
  });

  it("adds days to a date, which its settings change", async () => {
    const editor = await openEditor(service, await signIn(), definition);
    const { page, pageErrors } = editor;
    await startTyping(page, "each");
    await page.keyboard.type("/due");
    await menuShows(page, "Date plus or minus days");
    await pressKeys(page, "Enter");
    await waitForText(page, "Which date?");
    await page.keyboard.type("issued");
    await menuShows(page, "Issued on");
    await pressKeys(page, "Enter");
    await waitForText(page, "Shows Dec 5, 2026");
    await page.waitForSelector(".date-offset input:focus");
    await page.locator("::-p-aria(Add to the date)").fill("-2");
    await page.select("::-p-aria(Unit of time)", "months");
    await waitForText(page, "Shows Sep 21, 2026");
    const chip = `document.querySelector(".text-typing .chip")?.textContent`;
    await page.waitForFunction(`${chip} === "Issued on − 2 months"`);
    expect(await runAxe(page)).to.eql([]);
    await pressKeys(page, "Escape", "ArrowRight");
    await page.keyboard.type(" /today");
    await menuShows(page, "Today's date");
    await pressKeys(page, "Enter");
    const issued = 'DATE_ADD(root.issuedOn, -2, "months")';
    await waitForTextOfDraft(
      editor,
      `{{ ${issued} | date("medium") }} {{ TODAY() | date("medium") }}`,
    );
    await page.locator(".text-typing .chip").click();
    await page.locator("::-p-aria(Add to the date)").fill("0");
    await page.waitForFunction(`${chip} === "Issued on"`);
    await waitForTextOfDraft(
      editor,
      '{{ root.issuedOn | date("medium") }} {{ TODAY() | date("medium") }}',
    );
    expect(pageErrors).to.eql([]);
  });
});
