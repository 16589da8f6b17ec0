import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before } from "mocha";
import { type Browser, launch } from "puppeteer-core";
import { installBrowser } from "../../core/rendering/index.js";
import { RENDER_CACHE } from "./renderer.js";

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
export function useBareBrowser(): {
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
