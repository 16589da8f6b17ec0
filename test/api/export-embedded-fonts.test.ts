import { expect } from "chai";
import { before, describe, it } from "mocha";
import sharp from "sharp";
import { greatVibes } from "../support/assets.js";
import { newCaller, type TestCaller } from "../support/caller.js";
import { useBareBrowser } from "../support/bare-browser.js";
import { ample, lazyRenderer } from "../support/renderer.js";
import { exported, useService } from "../support/service.js";
import { publish } from "../support/store.js";

const text = (value: string, family?: string, style: object = {}) => ({
  type: "text",
  text: value,
  style: { ...(family && { "font-family": family }), ...style },
});

/** Components of documents, and the families that are embedded in them. */
const documents: Record<string, [components: object[], families: string[]]> = {
  "plain text": [[text("Invoice № 12 — 34,50 €")], ["Inter"]],
  "bold and italic text": [
    [{ type: "markdown", value: "A **bold** and *slanted* `code`" }],
    ["Inter", "JetBrains Mono"],
  ],
  "generic names": [
    [text("serif", "serif"), text("mono", "monospace"), text("c", "cursive")],
    ["Great Vibes", "JetBrains Mono", "Source Serif 4"],
  ],
  "names of other fonts": [
    [
      text("A", "Arial"),
      text("B", "'Times New Roman', serif"),
      text("C", '"No such font"'),
      text("D", "Georgia"),
    ],
    ["Arimo", "Inter", "Source Serif 4", "Tinos"],
  ],
  "scripts of the world": [
    [
      text("বাংলা স্ত্রী தமிழ் ภาษาไทย"),
      text("日本語 청구서", "Playfair Display", { "font-weight": "700" }),
      text("مرحبا שלום Ελληνικά Привіт"),
    ],
    [
      "BIZ UDPGothic",
      "IBM Plex Sans Arabic",
      "Inter",
      "NanumGothic",
      "Noto Sans Bengali",
      "Noto Sans Hebrew",
      "Noto Sans Tamil",
      "Noto Sans Thai",
      "Playfair Display",
    ],
  ],
  "letters that a style changes": [
    [text("straße ñandú", undefined, { "text-transform": "uppercase" })],
    ["Inter"],
  ],
  emoji: [[text("Done 🎉 1️⃣ 👩‍👩‍👧 🇩🇪")], ["Inter", "Noto Color Emoji"]],
  "html of one's own": [
    [
      {
        type: "html",
        value: "<p>K <kbd>Ctrl</kbd> <samp>x</samp></p><pre>pre</pre>",
      },
    ],
    ["Inter", "JetBrains Mono"],
  ],
  "charts and lists": [
    [
      {
        type: "chart",
        chart: "bar",
        data: "root.rows",
        label: "n",
        series: [{ field: "v" }],
      },
      {
        type: "list",
        components: [{ type: "list-item", text: "One" }],
      },
    ],
    ["Inter"],
  ],
};

describe("html with embedded fonts", () => {
  const service = useService();
  const browser = useBareBrowser();
  let caller: TestCaller;

  before(async () => {
    caller = await newCaller(service);
  });

  async function render(
    components: object[],
    renderOptions: object = { html: { embedFonts: true } },
    template: object = {},
  ): Promise<string> {
    const definition = { schema: [], components, ...template };
    const templateId = await publish(service.store, caller, {
      definition,
    });
    const { result } = await exported(caller, {
      templateId,
      formats: ["html"],
      data: { rows: [{ n: "Ada", v: 3 }] },
      renderOptions,
    });
    return result.html?.htmlDocument ?? "";
  }

  const familiesOf = (html: string) =>
    [
      ...new Set(
        Array.from(
          html.matchAll(/@font-face\{font-family:"([^"]+)"/g),
          ([, family = ""]) => family,
        ),
      ),
    ].toSorted();

  for (const [name, [components, families]] of Object.entries(documents))
    it(`is drawn by a browser without our fonts with the fonts of the print: ${name}`, async () => {
      const html = await render(components);
      const { fonts } = await browser.show(html);
      expect(fonts).to.not.have.length(0);
      expect(fonts.filter(({ isEmbedded }) => !isEmbedded)).to.deep.equal([]);
      expect(familiesOf(html)).to.deep.equal(families);
    });

  it("looks the same there, to the pixel, as where our fonts are", async () => {
    const [components] = documents["scripts of the world"] ?? [[]];
    const all = [
      { type: "heading", text: "Rechnung **12**" },
      ...components,
      { type: "markdown", value: "A **bold** and *slanted* `code`, 12.50" },
    ];
    const { picture } = await browser.show(await render(all));
    const { bytes } = await lazyRenderer.screenshot({
      html: await render(all, {}),
      widthPx: 800,
      type: "png",
      scale: 1,
      deadline: ample(),
    });
