import { expect } from "chai";
import { describe, it } from "mocha";
import {
  checkDefinition,
  type ProjectData,
} from "../../../core/definition/index.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { getDraft, openEditor } from "../../support/studio-editor.js";
import { useStudio, waitForCount } from "../../support/studio.js";

const KEYS = [
  "header",
  "hero",
  "picture",
  "two",
  "three",
  "products",
  "action",
  "quote",
  "order",
  "social",
  "footer",
];
const item: ProjectData["schema"][number] = {
  id: "items",
  fields: [
    { name: "title", type: "String" },
    { name: "amount", type: "Number" },
  ],
};
const root: ProjectData["schema"][number] = {
  id: "root",
  fields: [{ name: "items", type: "OneToManyLink", target: "items" }],
};

describe("the ready-made sections of an email", () => {
  const service = useService();
  const signIn = useStudio(service);
  const addAll = async (
    schema: ProjectData["schema"],
    sample: ProjectData["sample"],
  ) => {
    const definition = {
      schema,
      email: { subject: "Hello" },
      components: [],
      sample,
    };
    const { page, templateId } = await openEditor(
      service,
      await signIn("editor"),
      definition,
      "email",
    );
    for (const [index, key] of KEYS.entries()) {
      const button = `[data-new-section=${key}]`;
      // Away from the part of the palette that stays at its bottom.
      await page.$eval(button, (one) =>
        one.scrollIntoView({ block: "center" }),
      );
      await page.locator(button).click();
      await waitForCount(page, ".mail-body > .mail-section", index + 1);
    }
    let written: unknown;
    await eventually(async () => {
      ({ definition: written } = await getDraft(page, templateId));
      return JSON.stringify(written).split('"type":"section"').length > 11;
    });
    return { page, written };
  };

  it("are added below each other, and are valid without any data", async () => {
    const { written } = await addAll([{ id: "root", fields: [] }], {});
    expect(checkDefinition(written, "email").problems).to.eql([]);
    expect(JSON.stringify(written)).not.to.include("{{");
  });

  it("print the first list of the data and the fields of its items", async () => {
    const sample = { items: [{ title: "Lamp", amount: 49 }] };
    const { page, written } = await addAll([root, item], sample);
    expect(checkDefinition(written, "email").problems).to.eql([]);
    const json = JSON.stringify(written);
    expect(json)
      .to.include("{{ product.title }}")
      .and.to.include("{{ line.amount }}")
      .and.to.include("{{ SUM(root.items, amount) }}");
    await page.locator("[data-new-section=products]").click();
    await waitForCount(page, ".mail-body > .mail-section", 12);
  });
});
