import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { variables } from "../../config/variables.js";
import { TABLE_PROBLEM_CODES } from "../../core/integrations/platforms/views.js";
import { navigation } from "../../docs/site/navigation.mjs";

const pages = [
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "sdk/README.md",
  "connectors/n8n/README.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
/** Words of a page without its code blocks, in which brackets are no links. */
const read = (page: string) =>
  readFileSync(page, "utf8").replaceAll(/^ *```[^]*?^ *```$/gm, "");
const allText = pages.map((page) => readFileSync(page, "utf8")).join("\n");

/** As links name a heading. */
function findAnchors(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, words = ""]) =>
    words
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** The links of a page that lead nowhere; those to other sites are not followed. */
function findBrokenLinks(page: string): string[] {
  const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)];
  return links
    .map(([, link = ""]) => link)
    .filter((link) => !/^\w+:/.test(link) && !leadsSomewhere(page, link));
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : join(dirname(page), path);
  // The API reference is a page of the service, not a file.
  if (target === "docs/api") return true;
  if (!existsSync(target)) return false;
  return anchor === undefined || findAnchors(target).includes(anchor);
}

const getLinks = (page: string) =>
  [...read(page).matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, link = ""]) =>
    join(dirname(page), link),
  );

describe("the docs", () => {
  for (const page of pages)
    it(`have links that lead to existing targets: ${page}`, () => {
      expect(findBrokenLinks(page)).to.deep.equal([]);
    });

  it("CONTRIBUTING.md names files and folders that exist", () => {
    const named = [
      ...read("CONTRIBUTING.md").matchAll(
        /`((?:core|plugins|migrations|scripts|test|docs)\/[\w./-]+)`/g,
      ),
    ].map(([, path = ""]) => path);
    // Of the examples that do not exist yet.
    const missing = named.filter(
      (path) => !/things|00NN/.test(path) && !existsSync(path),
    );
    expect(missing).to.deep.equal([]);
  });

  it("are all linked from docs/README.md, which README.md links", () => {
    const linked = getLinks("docs/README.md");
    const missing = pages
      .filter((page) => page.startsWith("docs/") && page !== "docs/README.md")
      .filter((page) => !linked.includes(page));
    expect(missing).to.deep.equal([]);
    expect(getLinks("README.md")).to.include("docs/README.md");
  });

  it("are all in the sidebar of the site", () => {
    const names = navigation.flatMap(({ pages: all }) => all);
    const files = pages
      .filter((page) => page.startsWith("docs/") && page !== "docs/README.md")
      .map((page) => page.slice("docs/".length, -".md".length));
    expect(names).to.have.members([...files, "contributing", "changelog"]);
  });

  it("name every variable and no unknown one", () => {
    const named = allText.matchAll(/\bP(?:LATEN|UPPETEER)_[A-Z_]+\b/g);
    const ofTests = /^PLATEN_(?:TEST|NOCODB|DIRECTUS)_/;
    const service = [...named].flatMap(([name]) =>
      ofTests.test(name) ? [] : [name],
    );
    expect([...new Set(service)]).to.have.members(Object.keys(variables));
  });

  it("name the code of each problem of a file", () => {
    const page = read("docs/how-to/make-documents-from-a-file.md");
    const unnamed = TABLE_PROBLEM_CODES.filter(
      (code) => !page.includes(`\`${code}\``),
    );
    // Those of pasted rows alone.
    expect(unnamed).to.deep.equal(["repeated_column", "unclear_header"]);
  });

  it("list every variable with its default on the configuration page", () => {
    const rows = new Map(
      [
        ...read("docs/reference/configuration.md").matchAll(
          /^\| `(P\w+)` +\| ([^|]*?) +\|/gm,
        ),
      ].map(([, name = "", fallback = ""]) => [name, fallback] as const),
    );
    expect([...rows.keys()]).to.have.members(Object.keys(variables));
    const example = readFileSync("config/example.env", "utf8");
    const defaults = [...example.matchAll(/^(P\w+)=(.*)$/gm)];
    for (const [, name = "", value = ""] of defaults)
      expect(rows.get(name), name).to.equal(`\`${value}\``);
  });

  it("show every capability on the map", () => {
    const page = readFileSync("docs/explanation/architecture.md", "utf8");
    const [, map = ""] = page.split("```");
    const capabilities = readdirSync("core", { withFileTypes: true })
      .filter((one) => one.isDirectory())
      .map(({ name }) => name);
    const absent = capabilities.filter((one) => !map.includes(`\n  ${one}/`));
    expect(absent).to.deep.equal([]);
  });
});
