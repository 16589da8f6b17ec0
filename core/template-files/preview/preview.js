// The page of `platen dev`: shows one template with one sample, and draws again only what changed, so that scroll position,
// zoom and focus stay.

const $ = (id) => document.getElementById(id);
const main = $("main");
const pages = $("pages");
const frames = $("frames");

/** Image pixels for each CSS px, in steps, so that a zoom does not draw every page again. */
const SCALES = [0.5, 1, 1.5, 2, 3, 4];
const ZOOM_STEPS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3];
const VIEWS = {
  document: [
    ["pages", "Pages"],
    ["html", "HTML"],
  ],
  email: [
    ["html", "Desktop"],
    ["phone", "Phone"],
  ],
};

let status = null;
let preview = null;
let events = null;
let selected = readAddress();

/** The address is the state of the page: loading it again shows the same. */
function readAddress() {
  const [path, query = ""] = location.hash.slice(2).split("?");
  const [folder = "", sample = ""] = path.split("/").map(decodeURIComponent);
  const options = new URLSearchParams(query);
  const zoom = Number(options.get("zoom"));
  const view = options.get("view") ?? "";
  return { folder, sample, view, zoom: zoom > 0 ? zoom : "fit" };
}

function writeAddress() {
  const { folder, sample, view, zoom } = selected;
  const options = new URLSearchParams({ view, zoom: String(zoom) });
  const path = [folder, sample].map(encodeURIComponent).join("/");
  history.replaceState(null, "", `#/${path}?${options}`);
}

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function findTemplate() {
  return status?.templates.find(({ folder }) => folder === selected.folder);
}

function previewAddress(rest, { folder, sample } = preview) {
  const path = [folder, sample].map(encodeURIComponent).join("/");
  return `/preview/${path}/${rest}`;
}

function select(change) {
  const before = selected;
  selected = { ...selected, ...change };
  const template = findTemplate();
  if (!template) return;
  if (!template.samples.includes(selected.sample))
    selected.sample = template.samples[0];
  const views = VIEWS[template.templateType];
  if (!views.some(([view]) => view === selected.view))
    selected.view = views[0][0];
  writeAddress();
  const isOther =
    before.folder !== selected.folder || before.sample !== selected.sample;
  if (isOther || events === null) {
    preview = null;
    pages.replaceChildren();
    frames.replaceChildren();
    if (before.folder !== selected.folder) main.scrollTo(0, 0);
    connect();
  }
  drawStatus();
  if (preview) drawPreview();
}

/** Events of the preview on the page; the browser connects again by itself. */
function connect() {
  events?.close();
  const { folder, sample } = selected;
  const path = [folder, sample].map(encodeURIComponent).join("/");
  events = new EventSource(`/api/events/${path}`);
  events.addEventListener("status", ({ data }) => {
    status = JSON.parse(data);
    if (findTemplate()) select({});
    else chooseFirst();
    drawProblems();
  });
  events.addEventListener("preview", ({ data }) => {
    preview = JSON.parse(data);
    drawPreview();
    drawProblems();
  });
  events.addEventListener("error", () => {
    $("state").className = "state bad";
    $("state").textContent = "Disconnected: platen dev has ended";
  });
}

function chooseFirst() {
  const first = status.templates[0];
  if (first) select({ folder: first.folder });
  else {
    drawStatus();
    drawProblems();
  }
}

function drawStatus() {
  $("root").textContent = status.root;
  const focused = document.activeElement?.dataset?.folder;
  $("templates").replaceChildren(
    ...status.templates.map(({ folder, name, errors, warnings }) => {
      const button = element("button", { type: "button" });
      button.dataset.folder = folder;
      button.append(element("span", { className: "label" }, name));
      button.title = folder;
      const count = errors || warnings;
      if (count > 0) {
        const kind = errors > 0 ? "error" : "warning";
        const badge = element(
          "span",
          { className: errors > 0 ? "count bad" : "count" },
          String(count),
        );
        badge.title = `${count} ${kind}${count === 1 ? "" : "s"}`;
        button.append(badge);
      }
      if (folder === selected.folder)
        button.setAttribute("aria-current", "true");
      button.addEventListener("click", () => select({ folder }));
      return element("li", {}, button);
    }),
  );
  if (focused)
    document
      .querySelector(`[data-folder="${CSS.escape(focused)}"]`)
      ?.focus({ preventScroll: true });
  const template = findTemplate();
  $("name").textContent = template?.name ?? "";
  document.title = template ? `${template.name} – Platen` : "Platen";
  const samples = template?.samples ?? [];
  $("sample-field").hidden = samples.length < 2;
  $("sample").replaceChildren(
    ...samples.map((name) => element("option", { value: name }, name)),
  );
  $("sample").value = selected.sample;
  $("views").replaceChildren(
    ...(VIEWS[template?.templateType] ?? []).map(([view, label]) => {
      const button = element("button", { type: "button" }, label);
      button.setAttribute("aria-pressed", String(view === selected.view));
      button.addEventListener("click", () => select({ view }));
      return button;
    }),
  );
  $("zoom").hidden = selected.view !== "pages";
  $("zoom-value").textContent =
    selected.zoom === "fit" ? "Fit" : `${Math.round(selected.zoom * 100)}%`;
}

function drawPreview() {
  const { revision, isCurrent, tookMs, pages: count } = preview;
  const isPages = selected.view === "pages";
  const isEmpty = revision === 0;
  pages.hidden = !isPages || isEmpty;
  frames.hidden = isPages || isEmpty;
  frames.classList.toggle("phone", selected.view === "phone");
  main.classList.toggle("is-outdated", !isCurrent);
  $("empty").hidden = !isEmpty;
  $("empty").textContent =
    "The preview appears when the errors below are fixed.";
  const state = $("state");
  state.className = isCurrent || isEmpty ? "state" : "state bad";
  const amount = count === 1 ? "1 page" : `${count} pages`;
  const took = `${Math.round(tookMs)} ms`;
  state.textContent = isCurrent
    ? [count > 0 ? amount : "", took].filter(Boolean).join(" · ")
    : isEmpty
      ? ""
      : "Showing the last preview without errors";
  const pdf = $("pdf");
  pdf.setAttribute("aria-disabled", String(isEmpty));
  pdf.href = previewAddress("pdf");
  if (isEmpty) return;
  if (isPages) drawPages();
  else drawFrame();
}

function zoomFactor() {
  if (selected.zoom !== "fit") return selected.zoom;
  const room = main.clientWidth - 48;
  return Math.min(1.5, Math.max(0.25, room / preview.widthPx));
}

const visible = new Set();
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries)
      if (isIntersecting) visible.add(target);
      else visible.delete(target);
    for (const page of visible) void loadPage(page);
  },
  { root: main, rootMargin: "400px" },
);

function drawPages() {
  const zoom = zoomFactor();
  while (pages.children.length > preview.pages) {
    observer.unobserve(pages.lastElementChild);
    visible.delete(pages.lastElementChild);
    pages.lastElementChild.remove();
  }
  while (pages.children.length < preview.pages) {
    const number = pages.children.length + 1;
    const page = element(
      "figure",
      { className: "page" },
      element("img", { alt: `Page ${number}` }),
    );
    page.dataset.page = String(number);
    pages.append(page);
    observer.observe(page);
  }
  for (const page of pages.children) {
    page.style.width = `${preview.widthPx * zoom}px`;
    page.style.height = `${preview.heightPx * zoom}px`;
  }
  void loadPages([...visible], preview.revision);
}

async function loadPages(loaded, revision) {
  await Promise.all(loaded.map(loadPage));
  if (loaded.length > 0) reportDrawn(revision);
}

/** Replaces the image of a page once the new one is decoded, so that nothing flickers. */
async function loadPage(page) {
  const { revision } = preview;
  const wanted = zoomFactor() * devicePixelRatio;
  const scale = SCALES.find((step) => step >= wanted - 0.01) ?? SCALES.at(-1);
  const name = `${revision}/page-${page.dataset.page}?scale=${scale}`;
  const address = previewAddress(name);
  if (page.dataset.address === address) return;
  page.dataset.address = address;
  const next = element("img", { alt: `Page ${page.dataset.page}` });
  next.src = address;
  try {
    await next.decode();
  } catch {
    return;
  }
  if (page.dataset.address !== address) return;
  page.querySelector("img").replaceWith(next);
  if (visible.size === 1 || page === pages.firstElementChild)
    reportDrawn(revision);
}

/** Loads the next document behind the current one, and shows it scrolled to the same place. */
function drawFrame() {
  const { revision } = preview;
  const address = previewAddress(`${revision}/html`);
  const current = frames.querySelector("iframe:not(.loading)");
  if (current?.dataset.address === address) return;
  frames.querySelector("iframe.loading")?.remove();
  const next = element("iframe", { className: "loading", title: "Document" });
  next.setAttribute("sandbox", "allow-same-origin");
  next.dataset.address = address;
  next.src = address;
  next.addEventListener("load", () => {
    const { scrollX = 0, scrollY = 0 } = current?.contentWindow ?? {};
    next.contentWindow.scrollTo(scrollX, scrollY);
    next.classList.remove("loading");
    current?.remove();
    reportDrawn(revision);
  });
  frames.append(next);
}

/** For those who wait for a change to be visible. */
function reportDrawn(revision) {
  requestAnimationFrame(() => {
    document.documentElement.dataset.drawn = String(revision);
  });
}

function drawProblems() {
  const previewProblems = preview?.problems ?? [];
  const problems = [...(status?.problems ?? []), ...previewProblems];
  $("problems").hidden = problems.length === 0;
  const errors = problems.filter(({ severity }) => severity === "error");
  const sorted = [
    ...errors,
    ...problems.filter((problem) => !errors.includes(problem)),
  ];
  $("problems-title").textContent = [
    countOf(errors.length, "error"),
    countOf(problems.length - errors.length, "warning"),
  ]
    .filter(Boolean)
    .join(", ");
  $("problem-list").replaceChildren(...sorted.map(drawProblem));
}

function countOf(count, noun) {
  if (count === 0) return "";
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function drawProblem(problem) {
  const { severity, file, line, column, path, message, hint, excerpt } =
    problem;
  const item = element("li", { className: severity });
  const at = line === undefined ? "" : `:${line}:${column}`;
  if (file) {
    const place = element("a", { className: "place" }, `${file}${at}`);
    place.href = `vscode://file${encodeURI(`${status?.root ?? ""}/${file}`)}${at}`;
    place.title = "Open in VS Code";
    item.append(place);
  }
  const text = element("p", {}, message);
  if (hint) text.append(" ", element("span", { className: "hint" }, hint));
  item.append(text);
  if (path && path !== "$")
    item.append(element("p", { className: "path" }, path));
  if (excerpt) item.append(element("pre", {}, excerpt));
  return item;
}

function zoomTo(zoom) {
  // The middle of the view stays in the middle.
  const height = main.scrollHeight;
  const middle = (main.scrollTop + main.clientHeight / 2) / height;
  select({ zoom });
  main.scrollTop = middle * main.scrollHeight - main.clientHeight / 2;
}

for (const button of document.querySelectorAll("[data-zoom]"))
  button.addEventListener("click", () => {
    if (!preview) return;
    const { zoom } = button.dataset;
    const now = zoomFactor();
    if (zoom === "fit") zoomTo(selected.zoom === "fit" ? 1 : "fit");
    else if (zoom === "in")
      zoomTo(ZOOM_STEPS.find((step) => step > now + 0.01) ?? now);
    else zoomTo(ZOOM_STEPS.findLast((step) => step < now - 0.01) ?? now);
  });
$("sample").addEventListener("change", ({ target }) =>
  select({ sample: target.value }),
);
addEventListener("resize", () => {
  if (preview && selected.view === "pages") drawPages();
});
addEventListener("hashchange", () => select(readAddress()));

status = await (await fetch("/api/status")).json();
if (findTemplate()) select({});
else chooseFirst();
