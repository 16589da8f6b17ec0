import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { type Browser, launch } from "puppeteer-core";
import sharp from "sharp";
import { installBrowser } from "../../core/rendering/index.js";
import { greatVibes } from "../support/assets.js";
import { newCaller, type TestCaller } from "../support/caller.js";
import { ample, lazyRenderer, RENDER_CACHE } from "../support/renderer.js";
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

const getFamilies = (html: string) =>
  [
    ...new Set(
      Array.from(
        html.matchAll(/@font-face\{font-family:"([^"]+)"/g),
        ([, family = ""]) => family,
      ),
    ),
  ].toSorted();

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

  for (const [name, [components, families]] of Object.entries(documents))
    it(`is drawn by a browser without our fonts with the fonts of the print: ${name}`, async () => {
      const html = await render(components);
      const { fonts } = await browser.show(html);
      expect(fonts).to.not.have.length(0);
      expect(fonts.filter(({ isEmbedded }) => !isEmbedded)).to.deep.equal([]);
      expect(getFamilies(html)).to.deep.equal(families);
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
    const part = { left: 0, top: 0, width: 800, height: 500 };
    const [one, other] = await Promise.all(
      [picture, bytes].map((png) =>
        sharp(png).extract(part).removeAlpha().raw().toBuffer(),
      ),
    );
    expect(one?.equals(other ?? Buffer.alloc(0))).to.equal(true);
  });

  it("is the usual html without the option", async () => {
    const components = [text("Hello", "serif")];
    const usual = await render(components, {});
    expect(usual).to.not.include("@font-face");
    const off = await render(components, { html: { embedFonts: false } });
    expect(off).to.equal(usual);
  });

  it("grows by less than 60 KB for two western faces", async () => {
    const components = [{ type: "markdown", value: "Plain **bold**" }];
    const usual = await render(components, {});
    const embedded = await render(components);
    expect(embedded.length - usual.length).to.be.within(1000, 60_000);
  });

  it("embeds the fonts of headers and footers", async () => {
    const template = {
      page: {
        header: [text("Αθήνα", "Tinos")],
        footer: [{ type: "page-number" }],
      },
    };
    const html = await render([text("Body")], undefined, template);
    expect(getFamilies(html)).to.deep.equal(["Inter", "Tinos"]);
    const header = /url\("data:image\/svg\+xml;charset=utf-8,%3Csvg[^"]*"\)/;
    expect(header.exec(html)?.[0]).to.include("data:font/woff2");
  });

  it("keeps the organization's own font", async () => {
    const font = renameFamily(await greatVibes());
    const uploaded = await caller.post("/api/assets", {
      name: "own.ttf",
      base64Data: font.toString("base64"),
    });
    expect(uploaded.status).to.be.within(200, 201);
    const html = await render([text("Own", "Grand Vibes"), text("Inter")]);
    expect(getFamilies(html)).to.include.members(["Grand Vibes", "Inter"]);
    const { fonts } = await browser.show(html);
    expect(fonts.every(({ isEmbedded }) => isEmbedded)).to.equal(true);
  });

  it("is made beside a PDF, and for emails", async () => {
    const templateId = await publish(service.store, caller, {
      definition: { schema: [], components: [text("Hello", "Georgia")] },
      templateType: "email",
    });
    const { result } = await exported(caller, {
      templateId,
      formats: ["pdf", "html"],
      renderOptions: { html: { embedFonts: true } },
    });
    const html = result.html?.htmlDocument ?? "";
    expect(getFamilies(html)).to.include("Source Serif 4");
    expect(result.pdf?.url).to.be.a("string");
  });

  it("is rejected with an option of another name", async () => {
    const response = await caller.post("/api/export", {
      templateId: crypto.randomUUID(),
      formats: ["html"],
      renderOptions: { html: { embedFont: true } },
    });
    expect(response.status).to.equal(400);
    expect(await response.text()).to.include("$.renderOptions.html");
  });
});

const toUtf16 = (name: string) => Buffer.from(name, "utf16le").swap16();

/** The same font under the name Grand Vibes. */
function renameFamily(font: Buffer): Buffer {
  const renamed = Buffer.from(font);
  for (const [from, to] of [
    [toUtf16("Great Vibes"), toUtf16("Grand Vibes")],
    [Buffer.from("Great Vibes"), Buffer.from("Grand Vibes")],
  ] as const)
    for (let at = renamed.indexOf(from); at >= 0; at = renamed.indexOf(from))
      to.copy(renamed, at);
  return renamed;
}

/** What a browser draws the text of a page with. */
interface DrawnFont {
  family: string;
  /** Whether the page itself brings the font. */
  isEmbedded: boolean;
  glyphs: number;
}

interface ShownPage {
  fonts: DrawnFont[];
  /** A png of the page at 800 px. */
  picture: Buffer;
}

/** A browser of another machine for the suite that calls this: offline, with the font Great Vibes and no other. */
function useBareBrowser(): {
  show(html: string): Promise<ShownPage>;
} {
  let browser: Browser;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "platen-bare-"));
    const { executable, libraries } = await installBrowser(RENDER_CACHE);
    const fonts = join(folder, "fonts.conf");
    writeFileSync(
      fonts,
      `<?xml version="1.0"?><fontconfig><dir>${resolve("fonts/great-vibes")}</dir><cachedir>${folder}</cachedir>
<match target="font"><edit name="hinting" mode="assign"><bool>false</bool></edit></match></fontconfig>`,
    );
    browser = await launch({
      executablePath: executable,
      userDataDir: join(folder, "profile"),
      headless: "shell",
      args: ["--no-sandbox", "--font-render-hinting=none"],
      env: {
        ...process.env,
        FONTCONFIG_FILE: fonts,
        ...(libraries !== null && { LD_LIBRARY_PATH: libraries }),
      },
    });
  });
  after(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    async show(html) {
      const page = await browser.newPage();
      await page.setOfflineMode(true);
      await page.setViewport({ width: 800, height: 1000 });
      await page.setContent(html);
      const session = await page.createCDPSession();
      await session.send("DOM.enable");
      await session.send("CSS.enable");
      const { root } = await session.send("DOM.getDocument", { depth: -1 });
      const { nodeIds } = await session.send("DOM.querySelectorAll", {
        nodeId: root.nodeId,
        selector: "body *",
      });
      const fonts: DrawnFont[] = [];
      for (const nodeId of nodeIds) {
        const drawn = await session.send("CSS.getPlatformFontsForNode", {
          nodeId,
        });
        for (const { familyName, isCustomFont, glyphCount } of drawn.fonts)
          fonts.push({
            family: familyName,
            isEmbedded: isCustomFont,
            glyphs: glyphCount,
          });
      }
      const picture = Buffer.from(await page.screenshot());
      await page.close();
      return { fonts, picture };
    },
  };
}
