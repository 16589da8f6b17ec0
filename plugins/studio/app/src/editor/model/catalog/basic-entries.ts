import type { ComponentOf } from "../../../../../../../core/plugin-api/definition.js";
import type { CatalogEntries } from "./catalog-entry.js";

const cell = (text: string): ComponentOf<"table-cell"> => ({
  type: "table-cell",
  text,
});
const row = (...texts: string[]): ComponentOf<"table-row"> => ({
  type: "table-row",
  components: texts.map(cell),
});
const column = (): ComponentOf<"column"> => ({
  type: "column",
  components: [],
});

/** Words, and what arranges them. */
export const basicEntries: CatalogEntries<
  | "heading"
  | "text"
  | "list"
  | "list-item"
  | "markdown"
  | "html"
  | "container"
  | "columns"
  | "column"
  | "fragment"
  | "divider"
  | "spacer"
  | "table"
  | "table-row"
  | "table-cell"
> = {
  heading: {
    words: "Heading",
    purpose: "A title, in six sizes",
    icon: "heading",
    group: "Text",
    make: () => ({ type: "heading", text: "Heading", level: 2 }),
  },
  text: {
    words: "Text",
    purpose: "A paragraph, with your data in it",
    icon: "text",
    group: "Text",
    make: () => ({ type: "text", text: "Text" }),
  },
  list: {
    words: "List",
    purpose: "Bullets or numbers",
    icon: "list",
    group: "Text",
    make: () => ({
      type: "list",
      components: [{ type: "list-item", text: "First point" }],
    }),
  },
  "list-item": {
    words: "List item",
    purpose: "One point of a list",
    icon: "list",
    group: null,
    make: () => ({ type: "list-item", text: "Point" }),
  },
  markdown: {
    words: "Markdown",
    purpose: "Formatted text from a field",
    icon: "markdown",
    group: "Text",
    make: () => ({ type: "markdown", value: "Some **bold** words" }),
  },
  html: {
    words: "HTML",
    purpose: "Markup from a field, made safe",
    icon: "code",
    group: "Text",
    make: () => ({ type: "html", value: "<p>HTML</p>" }),
  },
  container: {
    words: "Box",
    purpose: "Keeps things together, with a frame or colour",
    icon: "box",
    group: "Layout",
    make: () => ({ type: "container", components: [] }),
  },
  columns: {
    words: "Columns",
    purpose: "Things side by side",
    icon: "columns",
    group: "Layout",
    make: () => ({ type: "columns", components: [column(), column()] }),
  },
  column: {
    words: "Column",
    purpose: "One of the columns",
    icon: "columns",
    group: null,
    make: column,
  },
  fragment: {
    words: "Group",
    purpose: "Repeats or hides several things at once",
    icon: "group",
    group: "Layout",
    make: () => ({ type: "fragment", components: [] }),
  },
  divider: {
    words: "Line",
    purpose: "A rule across the page",
    icon: "divider",
    group: "Layout",
    make: () => ({ type: "divider" }),
  },
  spacer: {
    words: "Space",
    purpose: "An empty stretch",
    icon: "spacer",
    group: "Layout",
    make: () => ({ type: "spacer", height: "8mm" }),
  },
  table: {
    words: "Table",
    purpose: "Rows and columns; a row can repeat",
    icon: "table",
    group: "Data",
    make: () => ({
      type: "table",
      components: [
        { ...row("Item", "Amount"), header: true },
        row("Text", "Text"),
      ],
    }),
  },
  "table-row": {
    words: "Row",
    purpose: "One row of a table",
    icon: "row",
    group: null,
    make: () => row("Text", "Text"),
  },
  "table-cell": {
    words: "Cell",
    purpose: "One cell of a row",
    icon: "cell",
    group: null,
    make: () => cell("Text"),
  },
};
