import { readdirSync, statSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { expect } from "chai";
import type { Page } from "puppeteer-core";
import { navigation } from "../../docs/site/navigation.mjs";
import { runAxe, useBrowser } from "../support/studio.js";
import { useService } from "../support/service.js";

const pages = ["", ...navigation.flatMap(({ pages: all }) => all)];

/** Addresses in a page: links, scripts, styles and pictures. */
function addressesIn(html: string): string[] {
  const found = html.matchAll(/(?:href|src|data-search)="([^"]+)"/g);
  return [...found].map(([, address = ""]) => address);
}

/** As a browser asks: fetch decompresses, and never asks whether a page has changed. */
function requestPage(
  url: string,
  headers: Record<string, string>,
): Promise<IncomingMessage> {
  return new Promise((resolve) => {
    get(url, { headers }, (response) => {
      response.resume();
      resolve(response);
    });
  });
}

describe("the documentation site", () => {
  const service = useService();
  const load = async (path: string, headers = {}) =>
    fetch(`${service.url}${path}`, { headers, redirect: "manual" });

  it("is served at /docs, while / leads to the studio", async () => {
    const docs = await load("/docs");
    expect([docs.status, docs.headers.get("location")]).to.eql([302, "docs/"]);
    const home = await load("/");
    expect([home.status, home.headers.get("location")]).to.eql([302, "studio"]);
  });

  it("has every page, and its links lead to existing pages and headings", async () => {
    const texts = new Map<string, string>();
    const fetchText = async (path: string) => {
      const known = texts.get(path);
      if (known !== undefined) return known;
      const response = await load(path);
      expect(response.status, path).to.equal(200);
      const text = await response.text();
      texts.set(path, text);
      return text;
    };
    const broken: string[] = [];
    for (const page of pages) {
      const from = new URL(`${service.url}/docs/${page}`);
      for (const address of addressesIn(await fetchText(from.pathname))) {
        const to = new URL(address, from);
        const isOurs = to.origin === service.url && to.pathname !== "/studio/";
        if (!isOurs) continue;
        const text = await fetchText(to.pathname);
        const id = decodeURIComponent(to.hash.slice(1));
        if (
          id !== "" &&
          to.pathname !== "/docs/api" &&
          !text.includes(`id="${id}"`)
        )
          broken.push(`${page}: ${address}`);
      }
    }
    expect(broken).to.deep.equal([]);
  });

  it("runs only its own scripts and styles, and none inline", async () => {
    for (const page of pages) {
      const response = await load(`/docs/${page}`);
      const policy = response.headers.get("content-security-policy") ?? "";
      expect(policy).to.match(/^default-src 'none'; script-src 'self';/);
      expect(policy).not.to.include("unsafe");
      const html = await response.text();
      expect(html, page).not.to.match(/<style|<script(?![^>]* src=)| style="/);
    }
  });

  it("is compressed, and is not sent again to a browser that has it cached", async () => {
    const url = `${service.url}/docs/`;
    const encoding = { "accept-encoding": "gzip" };
    const first = await requestPage(url, encoding);
    expect(first.headers["content-encoding"]).to.equal("gzip");
    const etag = first.headers.etag ?? "";
    const again = await requestPage(url, {
      ...encoding,
      "if-none-match": etag,
    });
    expect(again.statusCode).to.equal(304);
  });

  it("answers an unknown page with a page for browsers and an error for programs", async () => {
    const page = await fetch(`${service.url}/docs/no/thing`, {
      headers: { accept: "text/html" },
    });
    expect([page.status, page.url]).to.eql([404, `${service.url}/docs/404`]);
    expect(await page.text()).to.include("Page not found");
    const error = await load("/docs/nothing", { accept: "application/json" });
    expect([error.status, error.headers.get("content-type")]).to.eql([
      404,
      "application/json; charset=utf-8",
    ]);
  });

  it("is at most 4 MB in size", () => {
    const sizes = readdirSync("dist/docs", {
      recursive: true,
      withFileTypes: true,
    }).map((one) =>
      one.isFile() ? statSync(join(one.parentPath, one.name)).size : 0,
    );
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total).to.be.below(4_000_000);
  });

  describe("in a browser", () => {
    const open = useBrowser();
    let page: Page;
    before(async () => {
      page = await open({ width: 1280 });
      await page.goto(`${service.url}/docs/how-to/send-batches`);
    });

    it("finds pages with the keyboard", async () => {
      await page.keyboard.press("/");
      await page.keyboard.type("idempotency");
      await page.waitForSelector("#search-results a[data-selected]");
      await Promise.all([
        page.waitForNavigation(),
        page.keyboard.press("Enter"),
      ]);
      expect(page.url()).to.include("/docs/reference/rest#idempotency");
    });

    it("keeps the chosen colors on every page", async () => {
      const isDark = () =>
        page.evaluate("document.documentElement.dataset.theme");
      await page.click("button.theme");
      expect(await isDark()).to.equal("dark");
      await page.goto(`${service.url}/docs/`);
      expect(await isDark()).to.equal("dark");
      await page.click("button.theme");
    });

    for (const look of [{ width: 1280 }, { width: 390, isDark: true }])
      it(`has no accessibility violations at a width of ${look.width} pixels`, async () => {
        const other = await open(look);
        for (const path of ["", "reference/rest", "tutorials/first-template"]) {
          await other.goto(`${service.url}/docs/${path}`);
          expect(await runAxe(other), path).to.deep.equal([]);
          const overflow = await other.evaluate(
            "document.documentElement.scrollWidth - innerWidth",
          );
          expect(overflow, path).to.equal(0);
        }
      });
  });
});
