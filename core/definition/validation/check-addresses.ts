import type { Problem } from "../../plugin-api/index.js";
import { AssetBook } from "../assets/asset-book.js";
import { safeUrl } from "../expressions/index.js";
import { templateStrings, type TemplateString } from "./template-strings.js";
import type { Tree } from "./tree.js";

/** Second pass, warnings: addresses, the same for every record, that no document will show or follow. */
export function checkAddresses(tree: Tree): Problem[] {
  return tree.all.flatMap(({ component, path, isSound }) =>
    isSound
      ? templateStrings(component).flatMap((one) => checkAddress(one, path))
      : [],
  );
}

function checkAddress(
  { suffix, source }: TemplateString,
  path: string,
): Problem[] {
  // Braces may be an expression.
  if (source.trim() === "" || source.includes("{{")) return [];
  const name = /\.(\w+)$/.exec(suffix)?.[1];
  const at = { path: path + suffix };
  if (name === "href" || name === "link") return [...refusedLink(source, at)];
  // `.style.background` is paint, an image's and a hero's own are addresses.
  return suffix === ".src" || suffix === ".background"
    ? [...refusedImage(source, at)]
    : [];
}

function* refusedLink(source: string, at: { path: string }) {
  if (safeUrl(source) !== "") return;
  yield {
    ...at,
    code: "refused_link",
    message: `${JSON.stringify(source)} is not followed: it is left out.`,
    hint: "Write an address that begins with https:, http:, mailto: or tel:.",
  };
}

function* refusedImage(source: string, at: { path: string }) {
  if (new AssetBook().address(source, "") !== null) return;
  yield {
    ...at,
    code: "refused_image",
    message: `${JSON.stringify(source.slice(0, 80))} is no image that can be had: a placeholder is drawn.`,
    hint: "Write asset:<id>, an https address, or a data URL of an image.",
  };
}
