/** What the middle of the editor shows. */
export type EditorView = "design" | "json" | "versions";

/** What lies over the page on a phone. */
export type EditorSheet = "parts" | "properties" | "preview";
