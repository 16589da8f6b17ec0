import { compileText, type Scope, type ScopeTypes } from "../binding/index.js";
import { placeholder } from "../assets/placeholder.js";
import type { Background } from "../definition/page-schema.js";
import type { Run } from "../merge/run.js";
import { cssUrl } from "../output/escape.js";
import { px } from "./lengths.js";
import type { Paper } from "./paper.js";

const SIZES = {
  fill: "100% 100%",
  cover: "cover",
  contain: "contain",
} as const;

/** What lies under every page, its margins too: the rules for one record. Empty when a template has none. */
export function compileBackground(
  background: Background = {},
  types: ScopeTypes,
): (root: Scope, run: Run, paper: Paper) => string {
  const { color, image, fit } =
    typeof background === "string"
      ? { color: background, image: undefined, fit: undefined }
      : background;
  if (image === undefined)
    return () => (color === undefined ? "" : backgroundRules(color, color));
  const source = compileText(image, "$.page.background.image", types);
  return (root, run, { heightPx }) => {
    const src = source(root, "plain");
    const address = run.assets.address(src, "Background") ?? placeholder("");
    const ground = `${color ?? "#fff"} ${cssUrl(address)}`;
    const size = SIZES[fit ?? "cover"];
    return backgroundRules(
      `${ground} center/${size} no-repeat`,
      `${ground} top/100% ${px(heightPx)} repeat-y`,
    );
  };
}

function backgroundRules(paper: string, screen: string): string {
  return `@page{background:${paper}}\n@media screen{.sheet{background:${screen}}}\n`;
}
