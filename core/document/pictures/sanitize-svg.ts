import sanitize from "sanitize-html";
import { pictureFault } from "./picture-fault.js";

const TAGS =
  "svg g path rect circle ellipse line polyline polygon text tspan textPath defs symbol use clipPath mask " +
  "linearGradient radialGradient stop pattern marker image title desc style switch filter feBlend feColorMatrix " +
  "feComponentTransfer feComposite feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge " +
  "feMergeNode feMorphology feOffset";

const EMBEDDED = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[\w+/=\s]*$/;

/** `url(…)` of anything but a part of the same file; an escape could hide one. */
const LEADS_OUT = /\\|@import|(?:url|image|image-set|src)\s*\((?!\s*["']?#)/i;

/** Drawings and nothing else: no scripts, no html, no animation, and no address outside of the file. */
export function sanitizeSvg(svg: string): string {
  // A document type before it may declare entities, which nothing here needs.
  const drawing = svg.slice(Math.max(0, svg.search(/<svg[\s>]/)));
  const clean = sanitize(drawing, {
    allowedTags: TAGS.split(" "),
    allowedAttributes: false,
    allowedSchemes: ["data"],
    allowVulnerableTags: true,
    transformTags: {
      "*": (tagName, attribs) => ({ tagName, attribs: harmless(attribs) }),
    },
    // The text of a style is written as it stands, so it may hold nothing that could begin an element.
    exclusiveFilter: ({ tag, text }) =>
      tag === "style" && (/[<&]/.test(text) || LEADS_OUT.test(text)),
    nonTextTags: ["script", "style", "foreignObject", "noscript", "textarea"],
    parser: {
      xmlMode: true,
      lowerCaseTags: false,
      lowerCaseAttributeNames: false,
    },
  }).trim();
  if (/^<svg[\s>]/.test(clean)) return clean;
  throw pictureFault("The svg is damaged.");
}

/** The bytes of the images inside a sanitized svg. */
export function embeddedPictures(svg: string): Buffer[] {
  const found = svg.matchAll(/"data:image\/\w+;base64,([^"]*)"/g);
  return [...found].map(([, base64 = ""]) => Buffer.from(base64, "base64"));
}

function harmless(attributes: Record<string, string>): Record<string, string> {
  const entries = Object.entries(attributes).filter(([name, value]) => {
    if (/^on/i.test(name)) return false;
    if (/(^|:)(href|src)$/i.test(name))
      return value.startsWith("#") || EMBEDDED.test(value);
    return name.startsWith("xmlns") || !LEADS_OUT.test(value);
  });
  return Object.fromEntries(entries);
}
