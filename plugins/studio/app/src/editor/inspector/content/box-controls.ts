import type { ContentControls } from "./content-control.js";

/** What arranges other parts, and stretches of page. */
export const boxControls: ContentControls<
  | "fragment"
  | "container"
  | "columns"
  | "column"
  | "divider"
  | "spacer"
  | "table"
  | "table-row"
  | "section"
> = {
  fragment: [],
  container: [],
  columns: [
    { property: "gap", label: "Gap", kind: "size", placeholder: "24px" },
  ],
  column: [
    {
      property: "width",
      label: "Width",
      kind: "size",
      isRelative: true,
      placeholder: "Shared",
    },
  ],
  divider: [],
  spacer: [
    {
      property: "height",
      label: "Height",
      kind: "size",
      isRelative: true,
      isRequired: true,
    },
  ],
  table: [{ property: "columns", label: "Columns", kind: "custom" }],
  "table-row": [
    {
      property: "header",
      label: "Header row",
      kind: "switch",
      hint: "At the top of the table, it is printed again on every page.",
    },
  ],
  section: [
    { property: "fullWidth", label: "Full width", kind: "switch" },
    { property: "background", label: "Background", kind: "color" },
  ],
};
