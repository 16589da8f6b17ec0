import { interInPrint } from "./print-fonts.js";

// The look of the printed page within the studio's own: its rules hold in the sheet alone, under names that no rule of
// the studio has, and what the studio says of all elements is taken back there.

const studioUndone = `
&{letter-spacing:normal;font-feature-settings:normal;-webkit-font-smoothing:auto;text-align:start}
h1,h2,h3{overflow-wrap:inherit}
ul{list-style:disc}ul ul{list-style:circle}ol{list-style:decimal}
img,svg{display:inline}
dd{margin-inline-start:40px}
`;

/** What stands in a rule before its block. */
const inSelector = "(?=[^{}]*\\{)";
const classNames = new RegExp(`\\.([a-z][\\w-]*)${inSelector}`, "g");
const parts = new RegExp(
  `(?<![\\w.-])(main|header|footer)\\b${inSelector}`,
  "g",
);

/** @param pageStyle or `emailStyle`, as `EditorDesign` has it. */
export function sheetStyle(pageStyle: string): string {
  const named = pageStyle
    .replaceAll(/\[class="([\w-]+)"\]/g, '[class="d-$1"]')
    .replaceAll(classNames, ".d-$1")
    .replaceAll(parts, ".d-$1")
    .replace(/(^|\})\s*body\{/, "$1&{")
    .replaceAll(/(?<=[\s:])"?Inter"?,/g, `${interInPrint},`);
  // Weak as in print, where any style of a component wins.
  return `:where(.sheet){${studioUndone}${named}}`;
}

/** Puts a style sheet into the page, which its policy allows to scripts alone. @returns takes it out again */
export function adopt(sheet: CSSStyleSheet): () => void {
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter(
      (one) => one !== sheet,
    );
  };
}
