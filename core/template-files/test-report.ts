import { escapeXml } from "../lib/escape-xml.js";
import { describeFileProblem, type FileProblem } from "./source-text.js";
import {
  describePage,
  type PageComparison,
  type VisualResult,
} from "./visual-tests.js";

/** The results of a run as one HTML file that needs nothing else. @param finishedAt when the run ended */
export function createTestReport(
  results: readonly VisualResult[],
  finishedAt: Date,
): string {
  const failed = results.filter(({ state }) => state === "failed");
  const others = results.filter(({ state }) => state !== "failed");
  const summary = [
    `${others.length} passed`,
    failed.length > 0 ? `${failed.length} failed` : "",
  ]
    .filter(Boolean)
    .join(", ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${summary} – Template tests</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>Template tests</h1>
<p><span class="badge ${failed.length > 0 ? "bad" : "good"}">${summary}</span> <time datetime="${finishedAt.toISOString()}">${finishedAt.toISOString().slice(0, 16).replace("T", " ")} UTC</time></p>
</header>
<main>
${[...failed, ...others].map(createSection).join("\n")}
</main>
</body>
</html>
`;
}

function createSection(result: VisualResult): string {
  const { folder, sample, state, pages, problems } = result;
  const isFailed = state === "failed";
  const title = folder === "" ? "The folder" : `${folder} / ${sample}`;
  const shownPages = pages.filter(
    (page) => page.state !== "same" || page.overlay !== null,
  );
  return `<details${isFailed ? " open" : ""}>
<summary><span class="badge ${isFailed ? "bad" : "good"}">${state}</span> <h2>${escapeXml(title)}</h2> <span class="muted">${pages.length} ${pages.length === 1 ? "page" : "pages"}</span></summary>
${createProblemList(problems)}
${shownPages.map(createComparison).join("\n")}
${shownPages.length === 0 ? pages.map(createPage).join("\n") : ""}
</details>`;
}

function createProblemList(problems: readonly FileProblem[]): string {
  if (problems.length === 0) return "";
  const items = problems.map(
    (problem) =>
      `<li class="${problem.severity}"><code>${escapeXml(describeFileProblem(problem))}</code></li>`,
  );
  return `<ul class="problems">${items.join("")}</ul>`;
}

function createComparison(comparison: PageComparison): string {
  const { expected, actual, overlay } = comparison;
  const text = describePage(comparison);
  return `<section>
<h3>${text.charAt(0).toUpperCase()}${text.slice(1)}</h3>
<div class="pictures">
${createFigure("Expected", expected)}
${createFigure("Actual", actual)}
${createFigure("Difference", overlay)}
</div>
</section>`;
}

function createPage({ page, actual }: PageComparison): string {
  return `<div class="pictures single">${createFigure(`Page ${page}`, actual)}</div>`;
}

function createFigure(caption: string, picture: Buffer | null): string {
  const image =
    picture === null
      ? `<p class="none">No picture</p>`
      : `<img alt="${caption}" loading="lazy" src="data:image/png;base64,${picture.toString("base64")}">`;
  return `<figure><figcaption>${caption}</figcaption>${image}</figure>`;
}

/** The colors and measures of the studio. */
const STYLE = `
:root { color-scheme: light dark; --ground: light-dark(#f5f6f8, #0f1115); --surface: light-dark(#fff, #171a21); --line: light-dark(#dfe2e8, #2b303b);
  --text: light-dark(#181b22, #e9ebf0); --muted: light-dark(#59606d, #a0a8b6); --good: light-dark(#12703f, #5fd39a); --good-soft: light-dark(#e2f5ea, #12301f);
  --bad: light-dark(#b3261e, #ff9d94); --bad-soft: light-dark(#fdeceb, #3c1a18); --warn: light-dark(#845000, #f0bd62); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 400 0.875rem/1.5 Inter, system-ui, sans-serif; }
header, main { max-width: 90rem; margin: 0 auto; padding: 1.5rem; }
header { padding-bottom: 0; }
h1 { margin: 0 0 .25rem; font-size: 1.625rem; font-weight: 650; letter-spacing: -.018em; }
h2 { display: inline; margin: 0; font-size: 1rem; font-weight: 600; }
h3 { margin: 1rem 0 .5rem; font-size: .875rem; font-weight: 600; }
p { margin: 0; }
time, .muted { color: var(--muted); font-size: .8125rem; }
details { margin-bottom: 1rem; border: 1px solid var(--line); border-radius: .875rem; background: var(--surface); overflow: hidden; }
details > :not(summary) { margin-left: 1.25rem; margin-right: 1.25rem; }
details > :last-child { margin-bottom: 1.25rem; }
summary { padding: .875rem 1.25rem; cursor: pointer; }
.badge { display: inline-block; padding: .125rem .625rem; border-radius: 1rem; font-size: .8125rem; font-weight: 600; }
.badge.good { background: var(--good-soft); color: var(--good); }
.badge.bad { background: var(--bad-soft); color: var(--bad); }
.pictures { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 1rem; }
.pictures.single { grid-template-columns: minmax(0, 24rem); margin-top: 1rem; }
figure { margin: 0; }
figcaption { margin-bottom: .375rem; color: var(--muted); font-size: .8125rem; }
img { display: block; width: 100%; border: 1px solid var(--line); background: #fff; }
.none { display: grid; place-content: center; aspect-ratio: 210 / 297; border: 1px dashed var(--line); color: var(--muted); }
.problems { display: grid; gap: .375rem; margin-top: 0; padding: 0; list-style: none; }
.problems li { padding-left: .75rem; border-left: 3px solid var(--warn); overflow-wrap: anywhere; }
.problems li.error { border-color: var(--bad); }
code { font: .8125rem/1.5 ui-monospace, "SF Mono", "Cascadia Code", "Liberation Mono", monospace; }
@media (max-width: 45rem) { .pictures { grid-template-columns: minmax(0, 1fr); } }
`;
