// Builds the documentation site into dist/docs from the Markdown in docs/: one HTML file per page, a search index, styles
// and a script, each with a compressed copy beside it. Called by setup.mjs.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { build } from "esbuild";
import MarkdownIt from "markdown-it";
import anchor from "markdown-it-anchor";
import Prism from "prismjs";
import loadLanguages from "prismjs/components/index.js";
import { navigation } from "../docs/site/navigation.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const outDir = join(root, "dist", "docs");

/** The path of a file that was built, below `outDir`. */
const getName = (path) => posix.relative("dist/docs", path);

loadLanguages([
  "bash",
  "http",
  "json",
  "python",
  "sql",
  "toml",
  "typescript",
  "yaml",
]);

/** Pages whose source is not in docs/. */
const rootPages = {
  contributing: "CONTRIBUTING.md",
  changelog: "CHANGELOG.md",
};

const home = { id: "", source: "docs/README.md", section: null };
const pages = [
  home,
  ...navigation.flatMap((section) =>
    section.pages.map((id) => ({
      id,
      source: rootPages[id] ?? `docs/${id}.md`,
      section,
    })),
  ),
];
const pageBySource = new Map(pages.map((page) => [page.source, page]));

/** From a page to another file of the site. The home page is `docs/`, all others have no slash at the end. */
function relativeUrl(from, to) {
  const folder = posix.dirname(`/${from.id}`);
  const url = posix.relative(folder, `/${to}`);
  return to === "" ? `${url || "."}/` : url;
}

/** GitHub's anchors, so that links work there as well. */
function slugify(text) {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, "")
    .replaceAll(" ", "-");
}

function escapeHtml(text) {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

function highlight(code, language) {
  const grammar = Prism.languages[language];
  return grammar ? Prism.highlight(code, grammar, language) : escapeHtml(code);
}

/** The info of a fence: its language, and the name of the file that the reader saves it as. */
function parseFenceInfo(info) {
  const [language = ""] = info.trim().split(/\s+/);
  const [, file] = /\bfile=(\S+)/.exec(info) ?? [];
  return { language, file };
}

const languageNames = {
  http: "Request",
  sh: "Shell",
  json: "JSON",
  js: "JavaScript",
  ts: "TypeScript",
  python: "Python",
  yaml: "YAML",
  toml: "TOML",
  sql: "SQL",
};

function renderFence(tokens, index) {
  const { content, info } = tokens[index];
  const { language, file } = parseFenceInfo(info);
  const isResponse = /\bresponse\b/.test(info);
  const title =
    file ?? (isResponse ? "Response" : (languageNames[language] ?? ""));
  return `<figure class="code${file ? " has-file" : ""}"><figcaption><span>${escapeHtml(title)}</span><button type="button" class="copy" hidden>Copy</button></figcaption><pre tabindex="0"><code>${highlight(content, language)}</code></pre></figure>\n`;
}

/** `> [!NOTE]`, as GitHub writes it. */
function renderAlerts(state) {
  const { tokens } = state;
  for (const [index, token] of tokens.entries()) {
    const text = tokens[index + 2];
    if (token.type !== "blockquote_open" || text?.type !== "inline") continue;
    const [mark, kind] = /^\[!(NOTE|TIP|WARNING)\]\n?/.exec(text.content) ?? [];
    if (kind === undefined) continue;
    token.attrJoin("class", `alert alert-${kind.toLowerCase()}`);
    text.content = text.content.slice(mark.length);
  }
}

function createRenderer() {
  const markdown = new MarkdownIt({ html: true });
  markdown.use(anchor, {
    slugify,
    permalink: anchor.permalink.linkInsideHeader({
      symbol: "#",
      placement: "after",
      class: "anchor",
      ariaHidden: true,
      renderAttrs: () => ({ tabindex: "-1" }),
    }),
  });
  markdown.core.ruler.before("inline", "alerts", renderAlerts);
  const { rules } = markdown.renderer;
  rules.fence = renderFence;
  rules.table_open = () => '<div class="table" tabindex="0"><table>\n';
  rules.table_close = () => "</table></div>\n";
  // The pages' policy allows no inline styles.
  for (const rule of ["th_open", "td_open"])
    rules[rule] = (tokens, index) => {
      const isRight = tokens[index].attrGet("style") === "text-align:right";
      return `<${tokens[index].tag}${isRight ? ' class="right"' : ""}>`;
    };
  rules.link_open = (tokens, index, options, env, self) => {
    const href = siteUrl(env.page, tokens[index].attrGet("href"));
    env.openLinks ??= [];
    env.openLinks.push(href !== null);
    // A file of the repository that is not part of the site.
    if (href === null) return "<span>";
    tokens[index].attrSet("href", href);
    return self.renderToken(tokens, index, options);
  };
  rules.link_close = (tokens, index, options, env) =>
    env.openLinks?.pop() === false ? "</span>" : "</a>";
  rules.image = (tokens, index, options, env, self) => {
    tokens[index].attrSet(
      "src",
      siteUrl(env.page, tokens[index].attrGet("src")),
    );
    tokens[index].attrSet("alt", tokens[index].content);
    tokens[index].attrSet("loading", "lazy");
    return self.renderToken(tokens, index, options);
  };
  return markdown;
}

/** The address on the site of what a page's source links to; null when it is not on the site. */
function siteUrl(page, href) {
  if (/^(?:\w+:|#)/.test(href)) return href;
  const [path, fragment] = href.split("#");
  const target = posix.join(posix.dirname(page.source), path);
  const hash = fragment === undefined ? "" : `#${fragment}`;
  const found = pageBySource.get(target);
  if (found) return relativeUrl(page, found.id) + hash;
  if (target.startsWith("docs/images/"))
    return relativeUrl(page, target.slice("docs/".length));
  if (target === "docs/api") return relativeUrl(page, "api") + hash;
  if (target === "docs") return relativeUrl(page, "");
  return null;
}

/** The page's title, its first paragraph, and its headings with the text below each. */
function outline(tokens) {
  const sections = [];
  let description = "";
  for (const [index, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      const text = plainText(tokens[index + 1]);
      const level = Number(token.tag.slice(1));
      sections.push({
        level,
        id: token.attrGet("id"),
        heading: text,
        text: "",
      });
    } else if (token.type === "inline") {
      if (tokens[index - 1]?.type === "heading_open") continue;
      const text = plainText(token);
      const section = sections.at(-1);
      if (section) section.text += `${text} `;
      if (tokens[index - 1]?.type === "paragraph_open") description ||= text;
    } else if (token.type === "fence") {
      const section = sections.at(-1);
      if (section) section.text += `${token.content} `;
    }
  }
  return { title: sections[0]?.heading ?? "", description, sections };
}

function plainText(inline) {
  return inline.children
    .filter(
      ({ type }) =>
        type === "text" || type === "code_inline" || type === "softbreak",
    )
    .map(({ type, content, meta }) =>
      type === "softbreak" ? " " : meta?.isPermalinkSymbol ? "" : content,
    )
    .join("")
    .replace(/\s*#$/, "")
    .trim();
}

async function readPage(markdown, page) {
  const file = join(root, page.source);
  if (!existsSync(file))
    throw new Error(
      `docs/site/navigation.mjs names ${page.source}, which does not exist.`,
    );
  const source = await readFile(file, "utf8");
  const env = { page };
  const tokens = markdown.parse(source, env);
  const { title, description, sections } = outline(tokens);
  const html = markdown.renderer.render(tokens, markdown.options, env);
  return { ...page, title, description, sections, html };
}

const icons = {
  menu: '<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M3 5.5h14M3 10h14M3 14.5h14"/></svg>',
  search:
    '<svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="9" cy="9" r="5.5"/><path d="m13.2 13.2 3.8 3.8"/></svg>',
  theme:
    '<svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="6.5"/><path d="M10 3.5a6.5 6.5 0 0 1 0 13z" fill="currentColor"/></svg>',
};

function sidebar(page, titles) {
  const sections = navigation.map(({ title, pages: ids }) => {
    const items = ids.map((id) => {
      const current = id === page.id ? ' aria-current="page"' : "";
      return `<li><a href="${relativeUrl(page, id)}"${current}>${escapeHtml(titles.get(id))}</a></li>`;
    });
    return `<section><h2>${title}</h2><ul>${items.join("")}</ul></section>`;
  });
  return sections.join("\n");
}

function tableOfContents({ sections }) {
  const headings = sections.filter(({ level }) => level === 2 || level === 3);
  const isLong = headings.length > 30;
  const items = headings
    .filter(({ level }) => level === 2 || !isLong)
    .map(
      ({ level, id, heading }) =>
        `<li class="level-${level}"><a href="#${id}">${escapeHtml(heading)}</a></li>`,
    );
  if (items.length < 2) return "";
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join("")}</ul></nav>`;
}

function neighbors(page, titles) {
  const ids = navigation.flatMap(({ pages: all }) => all);
  const at = ids.indexOf(page.id);
  const link = (id, label, className) =>
    id === undefined
      ? "<span></span>"
      : `<a class="${className}" href="${relativeUrl(page, id)}"><small>${label}</small>${escapeHtml(titles.get(id))}</a>`;
  if (at === -1) return "";
  return `<nav class="neighbors" aria-label="Other pages">${link(ids[at - 1], "Previous", "previous")}${link(ids[at + 1], "Next", "next")}</nav>`;
}

function layout(page, titles, assets) {
  const url = (path) => relativeUrl(page, path);
  const isHome = page.id === "";
  const name = isHome ? "Platen documentation" : `${page.title} · Platen`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(name)}</title>
<meta name="description" content="${escapeHtml(page.description.slice(0, 200))}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${url(assets.icon)}">
<link rel="preload" href="${url(assets.font)}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${url(assets.style)}">
<script src="${url(assets.theme)}"></script>
<script src="${url(assets.script)}" defer data-root="${url("")}" data-search="${url(assets.search)}"></script>
</head>
<body class="${isHome ? "home" : "page"}">
<a class="skip" href="#content">Skip to content</a>
<header class="bar">
<button type="button" class="menu" aria-label="Menu" aria-expanded="false" aria-controls="sidebar">${icons.menu}</button>
<a class="brand" href="${url("")}"><img src="${url(assets.icon)}" alt="" width="26" height="26">Platen <span>Docs</span></a>
<button type="button" class="search" aria-label="Search" aria-keyshortcuts="/">${icons.search}<span>Search</span><kbd>/</kbd></button>
<nav class="places" aria-label="Other parts of Platen"><a href="${url("api")}">API reference</a><a href="${url("")}../studio/">Studio</a></nav>
<button type="button" class="theme" aria-label="Switch between light and dark">${icons.theme}</button>
</header>
<div class="columns">
<nav id="sidebar" class="sidebar" aria-label="Documentation">
<div class="sidebar-places"><a href="${url("api")}">API reference</a><a href="${url("")}../studio/">Studio</a></div>
${sidebar(page, titles)}
</nav>
<main id="content">
${page.section ? `<p class="label">${page.section.label}</p>` : ""}
<article>
${page.html}
</article>
${neighbors(page, titles)}
</main>
${isHome ? "" : tableOfContents(page)}
</div>
<dialog class="search-dialog" aria-label="Search the documentation">
<div class="search-field">${icons.search}<input type="search" placeholder="Search the documentation" autocomplete="off" spellcheck="false" aria-controls="search-results"></div>
<ol id="search-results"></ol>
<p class="search-hint"><kbd>↑</kbd><kbd>↓</kbd> to move, <kbd>Enter</kbd> to open, <kbd>Esc</kbd> to close</p>
</dialog>
</body>
</html>
`;
}

/** Fonts and pictures are compressed already. */
const compressible = /\.(?:js|css|svg|html|json)$/;

async function write(name, contents) {
  const file = join(outDir, name);
  const bytes = Buffer.from(contents);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, bytes);
  if (!compressible.test(name)) return;
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}

function hashedName(name, bytes) {
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 8);
  const extension = extname(name);
  return `assets/${basename(name, extension)}-${hash}${extension}`;
}

async function writeHashed(name, bytes) {
  const hashed = hashedName(name, bytes);
  await write(hashed, bytes);
  return hashed;
}

/** Bundles the script and the styles. @returns the name of each file by that of its source. */
async function buildAssets() {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ["site.js", "theme.js", "site.css"].map((name) =>
      join("docs", "site", name),
    ),
    outdir: outDir,
    entryNames: "assets/[name]-[hash]",
    assetNames: "assets/[name]-[hash]",
    bundle: true,
    format: "iife",
    target: ["es2022", "chrome126", "firefox126", "safari18"],
    minify: true,
    loader: { ".woff2": "file" },
    metafile: true,
    write: false,
    logLevel: "warning",
  });
  await Promise.all(
    outputFiles.map(({ path, contents }) =>
      write(path.slice(outDir.length + 1), contents),
    ),
  );
  const outputs = Object.entries(metafile.outputs);
  const find = (source) =>
    getName(outputs.find(([, { entryPoint }]) => entryPoint === source)[0]);
  return {
    script: find("docs/site/site.js"),
    theme: find("docs/site/theme.js"),
    style: find("docs/site/site.css"),
    font: getName(
      outputs.find(([path]) => /inter-latin-.*\.woff2$/.test(path))[0],
    ),
    icon: await writeHashed(
      "platen.svg",
      await readFile(join(root, "studio/src/icons/platen.svg")),
    ),
  };
}

async function copyImages() {
  const folder = join(root, "docs", "images");
  for (const name of await readdir(folder))
    await write(`images/${name}`, await readFile(join(folder, name)));
}

/** Every section of every page, for the search in the browser. */
function searchIndex(read) {
  return read.flatMap(({ id, title, sections, section }) =>
    sections.map(({ id: hash, heading, text, level }) => ({
      url: level === 1 ? id : `${id}#${hash}`,
      page: id === "" ? "Overview" : title,
      kind: section?.title ?? "",
      heading: level === 1 ? "" : heading,
      text: text.replaceAll(/\s+/g, " ").trim(),
    })),
  );
}

await rm(outDir, { recursive: true, force: true });
const markdown = createRenderer();
const [read, assets] = await Promise.all([
  Promise.all(pages.map((page) => readPage(markdown, page))),
  buildAssets(),
  copyImages(),
]);
assets.search = await writeHashed(
  "search.json",
  JSON.stringify(searchIndex(read)),
);
const titles = new Map(read.map(({ id, title }) => [id, title]));
const missing = {
  id: "404",
  section: null,
  title: "Page not found",
  description: "There is no such page.",
  sections: [],
  html: '<h1>Page not found</h1>\n<p>There is no such page. Search for it, or start at the <a href="./">overview</a>.</p>',
};
await Promise.all(
  [...read, missing].map((page) =>
    write(`${page.id || "index"}.html`, layout(page, titles, assets)),
  ),
);
