import { expect } from "chai";
import { describe, it } from "mocha";
import type {
  Component,
  ProjectData,
} from "../../../core/plugin-api/definition.js";
import { useService } from "../../support/service.js";
import { openEditor } from "../../support/studio-editor.js";
import { useStudio } from "../../support/studio.js";

const text = (id: string): Component => ({ type: "text", id, text: id });

const both: Component[] = [
  { type: "heading", id: "heading", text: "A heading", level: 2 },
  text("text"),
  {
    type: "list",
    id: "list",
    components: [{ type: "list-item", id: "list-item", text: "Point" }],
  },
  {
    type: "columns",
    id: "columns",
    components: [{ type: "column", id: "column", components: [text("in")] }],
  },
  { type: "container", id: "container", components: [text("boxed")] },
  { type: "fragment", id: "fragment", components: [text("grouped")] },
  {
    type: "table",
    id: "table",
    components: [
      {
        type: "table-row",
        id: "table-row",
        components: [{ type: "table-cell", id: "table-cell", text: "Cell" }],
      },
    ],
  },
  { type: "image", id: "image", src: "logo", alt: "Logo" },
  { type: "button", id: "button", text: "Pay", href: "https://pay.example" },
  { type: "divider", id: "divider" },
  { type: "spacer", id: "spacer", height: "8mm" },
  { type: "markdown", id: "markdown", value: "**bold**" },
  { type: "html", id: "html", value: "<b>bold</b>" },
  { type: "qrcode", id: "qrcode", value: "https://example.com" },
  { type: "barcode", id: "barcode", value: "4711", symbology: "code128" },
  {
    type: "chart",
    id: "chart",
    chart: "bar",
    data: "root.months",
    label: "name",
    series: [{ field: "amount" }],
  },
];
const inDocuments: Component[] = [
  { type: "page-break", id: "page-break" },
  {
    type: "sign-field",
    id: "sign-field",
    field: "signature",
    name: "signature",
    submitter: "Client",
  },
];
const inEmails: Component[] = [
  { type: "preheader", id: "preheader", text: "In the inbox" },
  {
    type: "section",
    id: "section",
    components: [{ type: "column", id: "of-section", components: [] }],
  },
  { type: "hero", id: "hero", background: "", components: [text("on-it")] },
  {
    type: "social",
    id: "social",
    items: [{ network: "linkedin", href: "https://linkedin.com" }],
  },
];
const schema: ProjectData["schema"] = [{ id: "root", fields: [] }];
const sample = { months: [{ name: "May", amount: 3 }] };

const templates: ["document" | "email", ProjectData][] = [
  [
    "document",
    {
      schema,
      sample,
      page: { footer: [{ type: "page-number", id: "page-number" }] },
      components: [...both, ...inDocuments],
    },
  ],
  [
    "email",
    {
      schema,
      sample,
      email: { subject: "Hello" },
      components: [...inEmails, ...both],
    },
  ],
];

describe("the page in the editor", () => {
  const service = useService();
  const signIn = useStudio(service);

  for (const [type, definition] of templates)
    it(`draws every component that a template of type ${type} may have`, async () => {
      const editor = await signIn("editor");
      const { page, pageErrors } = await openEditor(
        service,
        editor,
        definition,
        type,
      );
      const ids = [...JSON.stringify(definition).matchAll(/"id":"([\w-]+)"/g)]
        .map(([, id = ""]) => id)
        .filter((id) => id !== "root");
      const drawn = await page.$$eval(".sheet [data-id]", (all) =>
        all.map((one) => one.getAttribute("data-id")),
      );
      expect(drawn).to.have.members(ids);
      const flat = await page.$$eval(".sheet [data-id]:not(.fragment)", (all) =>
        all
          // The words of a page break, which has no height in print, can be pressed.
          .filter((one) => {
            const seen = one.querySelector(".page-break-words") ?? one;
            return seen.getBoundingClientRect().height === 0;
          })
          .map((one) => one.getAttribute("data-type")),
      );
      expect(flat, "nobody could see or press them").to.deep.equal([]);
      expect(pageErrors).to.deep.equal([]);
    });
});
