import sanitize from "sanitize-html";
import { PlatenError } from "../plugin-api/index.js";

const allowedTags =
  "svg g path rect circle ellipse line polyline polygon text tspan textPath defs symbol use clipPath mask " +
  "linearGradient radialGradient stop pattern marker image title desc style switch filter feBlend feColorMatrix " +
  "feComponentTransfer feComposite feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge " +
  "feMergeNode feMorphology feOffset";

/** Cleaning this much takes about a second; usual drawings have far less. */
const maxCharacters = 2 * 1024 * 1024;
const maxElements = 20_000;
const maxDepth = 100;

const embeddedImage =
  /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[\w+/=\s]*$/;

/** `url(…)` of anything but an element of the same file; an escape could hide one. */
const externalReference =
  /\\|@import|(?:url|image|image-set|src)\s*\((?!\s*["']?#)/i;

/**
 * Removes everything but the drawing: scripts, HTML, animation and external URLs.
 * @throws PlatenError `invalid_request` for a drawing that is damaged, incomplete or too large.
 */
export function cleanSvg(svg: string): string {
  checkSize(svg);
  // A document type before the element could declare entities.
  const drawing = svg.slice(Math.max(0, svg.search(/<svg[\s>]/)));
  const clean = sanitize(drawing, {
    allowedTags: allowedTags.split(" "),
    allowedAttributes: false,
    allowedSchemes: ["data"],
    allowVulnerableTags: true,
    nestingLimit: maxDepth,
    transformTags: {
      "*": (tagName, attribs) => ({ tagName, attribs: removeUnsafe(attribs) }),
    },
    // The text of a style is not escaped, so it must not contain anything that could start an element.
    exclusiveFilter: ({ tag, text }) =>
      tag === "style" && (/[<&]/.test(text) || externalReference.test(text)),
    nonTextTags: ["script", "style", "foreignObject", "noscript", "textarea"],
    parser: {
      xmlMode: true,
      lowerCaseTags: false,
      lowerCaseAttributeNames: false,
    },
  }).trim();
  if (!/^<svg[\s>]/.test(clean)) throw createImageError("The SVG is damaged.");
  if (!/<\/svg\s*>|^<svg\b[^>]*\/>/.test(drawing))
    throw createImageError(
      "The image is incomplete: its data ends early. Use the complete file.",
    );
  return clean;
}

function checkSize(svg: string): void {
  if (svg.length > maxCharacters)
    throw createImageError(
      `The SVG has more than ${maxCharacters} characters. Use a PNG instead.`,
    );
  let elements = 0;
  for (let at = svg.indexOf("<"); at >= 0; at = svg.indexOf("<", at + 1))
    if (svg[at + 1] !== "/") elements += 1;
  if (elements > maxElements)
    throw createImageError(
      `The SVG has more than ${maxElements} elements. Use a PNG instead.`,
    );
}

function removeUnsafe(
  attributes: Record<string, string>,
): Record<string, string> {
  const entries = Object.entries(attributes).filter(([name, value]) => {
    if (/^on/i.test(name)) return false;
    if (/(^|:)(href|src)$/i.test(name))
      return value.startsWith("#") || embeddedImage.test(value);
    return name.startsWith("xmlns") || !externalReference.test(value);
  });
  return Object.fromEntries(entries);
}

function createImageError(reason: string): PlatenError {
  return new PlatenError("invalid_request", reason);
}
