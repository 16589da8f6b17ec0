// The documentation site in the browser: menu, theme, copy buttons, the current section, search.
import MiniSearch from "minisearch";

const script = document.currentScript;
const { root, search: searchUrl } = script.dataset;
const $ = (selector) => document.querySelector(selector);

function setUpMenu() {
  const button = $("button.menu");
  const setOpen = (isOpen) => {
    document.body.classList.toggle("menu-open", isOpen);
    button.setAttribute("aria-expanded", String(isOpen));
  };
  button.addEventListener("click", () =>
    setOpen(!document.body.classList.contains("menu-open")),
  );
  $("#content").addEventListener("click", () => setOpen(false));
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") setOpen(false);
  });
  // Without scrolling the page, as scrollIntoView would.
  const sidebar = $(".sidebar");
  const current = sidebar.querySelector("[aria-current]");
  if (current && getComputedStyle(sidebar).position === "sticky")
    sidebar.scrollTop = current.offsetTop - sidebar.clientHeight / 2;
}

function setUpTheme() {
  const { dataset } = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  $("button.theme").addEventListener("click", () => {
    const current = dataset.theme ?? (dark.matches ? "dark" : "light");
    dataset.theme = current === "dark" ? "light" : "dark";
    localStorage.setItem("platen-docs-theme", dataset.theme);
  });
}

function setUpCopyButtons() {
  for (const button of document.querySelectorAll("button.copy")) {
    button.hidden = false;
    button.addEventListener("click", () => void copy(button));
  }
}

async function copy(button) {
  const code = button.closest("figure").querySelector("code");
  await navigator.clipboard.writeText(code.textContent);
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = "Copy"), 1500);
}

/** Marks the section that is being read in the table of contents. */
function setUpContents() {
  const links = [...document.querySelectorAll(".contents a")];
  const headings = links.map((link) =>
    document.getElementById(decodeURIComponent(link.hash.slice(1))),
  );
  if (links.length === 0) return;
  const mark = () => {
    const passed = headings.findLastIndex(
      (heading) => heading.getBoundingClientRect().top < 120,
    );
    const isAtEnd =
      window.innerHeight + window.scrollY >= document.body.scrollHeight - 4;
    const current = isAtEnd && passed >= 0 ? links.length - 1 : passed;
    for (const [index, link] of links.entries())
      link.toggleAttribute("data-current", index === Math.max(current, 0));
  };
  addEventListener("scroll", mark, { passive: true });
  mark();
}

function setUpSearch() {
  const dialog = $(".search-dialog");
  const input = dialog.querySelector("input");
  const list = $("#search-results");
  let index = null;
  let sections = [];

  const load = async () => {
    const response = await fetch(searchUrl);
    sections = await response.json();
    const created = new MiniSearch({
      fields: ["heading", "page", "text"],
      storeFields: ["page"],
      searchOptions: {
        boost: { heading: 6, page: 4 },
        // A page before the sections of others.
        boostDocument: (id) => (sections[id].heading === "" ? 3 : 1),
        prefix: true,
        fuzzy: (term) => (term.length > 4 ? 0.2 : false),
        combineWith: "AND",
      },
    });
    created.addAll(sections.map((section, id) => ({ id, ...section })));
    return created;
  };
  const open = () => {
    if (dialog.open) return;
    dialog.showModal();
    input.select();
    index ??= load().then((created) => {
      index = created;
      show();
      return created;
    });
  };
  const show = () => {
    if (!(index instanceof MiniSearch)) return;
    const query = input.value.trim();
    const found = query === "" ? [] : limitPerPage(index.search(query));
    list.replaceChildren(
      ...found.map(({ id, terms }) => item(sections[id], terms)),
    );
    dialog.classList.toggle("is-empty", query !== "" && found.length === 0);
    select(0);
  };
  const items = () => [...list.querySelectorAll("a")];
  const select = (at) => {
    for (const [number, link] of items().entries())
      link.toggleAttribute("data-selected", number === at);
    items()[at]?.scrollIntoView({ block: "nearest" });
  };

  $("button.search").addEventListener("click", open);
  input.addEventListener("input", show);
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog || target.closest("a")) dialog.close();
  });
  dialog.addEventListener("keydown", (event) => {
    const all = items();
    const at = all.findIndex((link) => link.hasAttribute("data-selected"));
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && all.length > 0) {
      event.preventDefault();
      select((at + step + all.length) % all.length);
    } else if (event.key === "Enter" && all[at]) {
      event.preventDefault();
      all[at].click();
    }
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    const isShortcut =
      (event.key === "/" && !isTyping) ||
      (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey));
    if (!isShortcut) return;
    event.preventDefault();
    open();
  });
}

const maxResults = 12;
const maxResultsPerPage = 3;

/** The best results, so that a page with many sections does not hide the others. */
function limitPerPage(results) {
  const counts = new Map();
  return results
    .filter(({ page }) => {
      const count = (counts.get(page) ?? 0) + 1;
      counts.set(page, count);
      return count <= maxResultsPerPage;
    })
    .slice(0, maxResults);
}

/** One result of a search. Texts are set as text, never as markup. */
function item({ url, page, kind, heading, text }, terms) {
  const link = element("a", "", [
    element("span", "result-title", marked(heading || page, terms)),
    element("span", "result-place", [heading ? `${kind} › ${page}` : kind]),
    element("span", "result-text", marked(excerpt(text, terms), terms)),
  ]);
  link.href = root + url;
  return element("li", "", [link]);
}

function element(name, className, content) {
  const created = document.createElement(name);
  created.className = className;
  created.append(...content);
  return created;
}

function excerpt(text, terms) {
  const lower = text.toLowerCase();
  const places = terms
    .map((term) => lower.indexOf(term))
    .filter((at) => at >= 0);
  const start = Math.max(0, Math.min(...places, text.length) - 40);
  const from = places.length === 0 ? 0 : start;
  return `${from > 0 ? "…" : ""}${text.slice(from, from + 150)}`;
}

function marked(text, terms) {
  const escaped = terms.map((term) =>
    term.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&"),
  );
  if (escaped.length === 0) return [text];
  return text
    .split(new RegExp(`(${escaped.join("|")})`, "gi"))
    .map((part, number) => {
      if (number % 2 === 0) return part;
      const mark = document.createElement("mark");
      mark.textContent = part;
      return mark;
    });
}

setUpMenu();
setUpTheme();
setUpCopyButtons();
setUpContents();
setUpSearch();
