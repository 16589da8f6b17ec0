import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { type Browser, launch } from "puppeteer-core";
import sharp from "sharp";
import { installBrowser } from "../../core/rendering/index.js";
import { download, useApi } from "../support/api.js";
import {
  type AssetReply,
  renamedFont,
  shiftedFont,
  uploadBytes,
} from "../support/assets.js";
import { newCaller } from "../support/caller.js";
import { fontNames, pdfText } from "../support/read-pdf.js";
import { ample, lazyRenderer, RENDER_CACHE } from "../support/renderer.js";
import { listCells } from "../support/rows.js";

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
    listCells(`
      BIZ UDPGothic | IBM Plex Sans Arabic | Inter | NanumGothic | Noto Sans Bengali | Noto Sans Hebrew
      Noto Sans Tamil | Noto Sans Thai | Playfair Display
    `),
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
      { type: "list", components: [{ type: "list-item", text: "One" }] },
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
  const api = useApi();
  const browser = useBareBrowser();
  const embedFonts = { html: { embedFonts: true } };
  const render = async (
    components: object[],
    renderOptions: object = embedFonts,
    more: object = {},
  ) =>
    api.html({
      templateId: await api.caller.publish({
        definition: { schema: [], components, ...more },
      }),
      data: { rows: [{ n: "Ada", v: 3 }] },
      renderOptions,
    });

  for (const [name, [components, families]] of Object.entries(documents))
    it(`has exactly the fonts of its text: ${name}`, async () => {
      const html = await render(components);
      expect(getFamilies(html)).to.deep.equal(families);
    });

  it("is drawn by a browser without our fonts with the fonts of the print", async () => {
    const all = Object.values(documents).flatMap(([components]) => components);
    const { fonts } = await browser.show(await render(all));
    expect(fonts).to.have.length.above(20);
    expect(fonts.filter(({ isEmbedded }) => !isEmbedded)).to.deep.equal([]);
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
    const [there, here] = await Promise.all(
      [picture, bytes].map((png) =>
        sharp(png).extract(part).removeAlpha().raw().toBuffer(),
      ),
    );
    expect(there?.equals(here ?? Buffer.alloc(0))).to.equal(true);
  });

  it("is the usual html without the option, and larger by less than 60 KB for two western faces", async () => {
    const components = [{ type: "markdown", value: "Plain **bold**" }];
    const usual = await render(components, {});
    expect(usual).to.not.include("@font-face");
    const off = await render(components, { html: { embedFonts: false } });
    expect(off).to.equal(usual);
    const embedded = await render(components);
    expect(embedded.length - usual.length).to.be.within(1000, 60_000);
  });

  it("embeds the fonts of headers and footers", async () => {
    const header = [text("Αθήνα", "Tinos")];
    const page = { header, footer: [{ type: "page-number" }] };
    const html = await render([text("Body")], embedFonts, { page });
    expect(getFamilies(html)).to.deep.equal(["Inter", "Tinos"]);
    const url = /url\("data:image\/svg\+xml;charset=utf-8,%3Csvg[^"]*"\)/;
    expect(url.exec(html)?.[0]).to.include("data:font/woff2");
  });

  it("keeps the organization's own font", async () => {
    await uploadBytes(api.caller, "own.ttf", await renamedFont("Grand Vibes"));
    const html = await render([text("Own", "Grand Vibes"), text("Inter")]);
    expect(getFamilies(html)).to.include.members(["Grand Vibes", "Inter"]);
    const { fonts } = await browser.show(html);
    expect(fonts.every(({ isEmbedded }) => isEmbedded)).to.equal(true);
  });

  it("is made beside a PDF, and for emails", async () => {
    const { result } = await api.render({
      templateId: await api.caller.publish({
        definition: { schema: [], components: [text("Hello", "Georgia")] },
        templateType: "email",
      }),
      formats: ["pdf", "html"],
      renderOptions: embedFonts,
    });
    const html = result.html?.htmlDocument ?? "";
    expect(getFamilies(html)).to.include("Source Serif 4");
    expect(result.pdf?.url).to.be.a("string");
  });
});

describe("an organization's font", () => {
  const api = useApi();
  let font: AssetReply;
  const publish = (more: object, by = api.caller) =>
    by.publish({ definition: { schema: [], components: [], ...more } });
  const readFamilies = async (body: object) => [
    ...getFamilies(await api.html(body)),
  ];

  before(async () => {
    font = await uploadBytes(api.caller, "hands.ttf", await renamedFont());
    expect(font).to.include({ assetType: "font", mimeType: "font/ttf" });
    expect(font.details).to.deep.equal({
      family: "Acme Hands",
      weight: "400",
      style: "normal",
    });
  });

  it("is used in texts, headers and named styles that name its family, ignoring case, and by no other organization", async () => {
    const family = { "font-family": "'acme hands'" };
    const inBody = { type: "text", text: "Yours, Zoë", style: family };
    const byClass = { type: "text", text: "By class", class: "hand" };
    const stranger = await newCaller(api.service);
    for (const [by, more, isUsed] of [
      [api.caller, { components: [inBody] }, true],
      [api.caller, { page: { header: { components: [inBody] } } }, true],
      [api.caller, { styles: { hand: family }, components: [byClass] }, true],
      [stranger, { components: [inBody] }, false],
    ] as const) {
      const templateId = await publish(more, by);
      const { result } = await api.render({ templateId, formats: ["pdf"] }, by);
      const pdf = await download(result.pdf?.url);
      const used = /AcmeHands|GreatVibes/.test(fontNames(pdf).join());
      expect(used, JSON.stringify(more)).to.equal(isUsed);
      if (!isUsed) expect(await pdfText(pdf)).to.contain("Yours, Zoë");
    }
  });

  it("can be named by its family, its id or its URL, and is in the html of no other documents", async () => {
    for (const family of ["Acme Hands", `asset:${font.id}`, font.url]) {
      const components = [text("Hi", `"${family}"`)];
      const templateId = await publish({ components });
      expect(await readFamilies({ templateId })).to.deep.equal([family]);
    }
    expect(await readFamilies({})).to.deep.equal([]);
  });

  const using = (family: string) =>
    publish({ components: [text("Hi", `"${family}"`)] });

  it("remains available in the trash for existing documents", async () => {
    const bytes = await renamedFont("Late Hands");
    const { id } = await uploadBytes(api.caller, "late", bytes);
    const early = await using("Late Hands");
    const byId = await using(`asset:${id}`);
    await api.caller.delete(`/api/assets/${id}`);
    const late = await using("Late Hands");
    for (const [body, families] of [
      [{ templateId: early, templateVersion: 1 }, ["Late Hands"]],
      [{ templateId: early }, ["Late Hands"]],
      [{ templateId: byId }, [`asset:${id}`]],
      [{ templateId: late }, []],
    ] as const)
      expect(await readFamilies(body)).to.deep.equal(families);
  });

  it("has characters that are not reported as missing when the document names it", async () => {
    await uploadBytes(api.caller, "signs.ttf", await shiftedFont("Acme Signs"));
    for (const [style, warnings] of [
      [{}, "1"],
      [{ "font-family": "Acme Signs" }, "0"],
    ] as const) {
      const components = [{ type: "text", text: "\uE041", style }];
      const templateId = await publish({ components });
      const { headers } = await api.render({ templateId, formats: ["pdf"] });
      expect(headers.get("x-render-warnings")).to.equal(warnings);
    }
  });
});

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
