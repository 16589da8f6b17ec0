import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { describe, it } from "mocha";
import { variables } from "../../config/variables.js";

const pages = [
  "README.md",
  "CHANGELOG.md",
  ...readdirSync("docs")
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
const read = (page: string) => readFileSync(page, "utf8");
const told = pages.map(read).join("\n");

/** As a heading's link names it. */
function anchorsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, words = ""]) =>
    words
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}

/** The links of a page that lead nowhere; those to other sites are not followed. */
function brokenLinks(page: string): string[] {
  const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)];
  return links
    .map(([, link = ""]) => link)
    .filter((link) => !/^\w+:/.test(link) && !leadsSomewhere(page, link));
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : join(dirname(page), path);
  if (!existsSync(target)) return false;
  return anchor === undefined || anchorsOf(target).includes(anchor);
}

describe("the docs", () => {
  for (const page of pages)
    it(`${page}: its links lead somewhere`, () => {
      expect(brokenLinks(page)).to.deep.equal([]);
    });

  it("are all reached from README.md", () => {
    const readme = read("README.md");
    const unreached = pages.filter(
      (page) => page.startsWith("docs/") && !readme.includes(`](${page})`),
    );
    expect(unreached).to.deep.equal([]);
  });

  it("tell every variable, and none that is not there", () => {
    const named = told.matchAll(/\bP(?:LATEN|UPPETEER)_[A-Z_]+\b/g);
    const ofTests = /^PLATEN_(?:TEST|NOCODB)_/;
    const service = [...named].flatMap(([name]) =>
      ofTests.test(name) ? [] : [name],
    );
    expect([...new Set(service)]).to.have.members(Object.keys(variables));
  });

  it("have every capability on the map", () => {
    const [, map = ""] = read("docs/architecture.md").split("```");
    const rooms = readdirSync("core", { withFileTypes: true })
      .filter((one) => one.isDirectory())
      .map(({ name }) => name);
    const absent = rooms.filter((room) => !map.includes(`\n  ${room}/`));
    expect(absent).to.deep.equal([]);
  });
});
