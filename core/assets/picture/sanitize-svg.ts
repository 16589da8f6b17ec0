import sanitize from "sanitize-html";
import { pictureFault } from "./picture-fault.js";

const TAGS =
  "svg g path rect circle ellipse line polyline polygon text tspan textPath defs symbol use clipPath mask " +
  "linearGradient radialGradient stop pattern marker image title desc style switch filter feBlend feColorMatrix " +
  "feComponentTransfer feComposite feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge " +
  "feMergeNode feMorphology feOffset";

/** Cleaning takes about a second for so much, in which nothing else is done; drawings have far less. */
const MOST_CHARACTERS = 2 * 1024 * 1024;
const MOST_ELEMENTS = 20_000;
const DEEPEST = 100;

const EMBEDDED = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[\w+/=\s]*$/;

/** `url(…)` of anything but a part of the same file; an escape could hide one. */
const LEADS_OUT = /\\|@import|(?:url|image|image-set|src)\s*\((?!\s*["']?#)/i;

/** Drawings and nothing else: no scripts, no html, no animation, and no address outside of the file. */
export function sanitizeSvg(svg: string): string {
  refuseTooMuch(svg);
  // A document type before it may declare entities, which nothing here needs.
  const drawing = svg.slice(Math.max(0, svg.search(/<svg[\s>]/)));
  const clean = sanitize(drawing, {
    allowedTags: TAGS.split(" "),
    allowedAttributes: false,
    allowedSchemes: ["data"],
    allowVulnerableTags: true,
    nestingLimit: DEEPEST,
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

function refuseTooMuch(svg: string): void {
  if (svg.length > MOST_CHARACTERS)
    throw pictureFault(
      `An svg has at most ${MOST_CHARACTERS} characters. Use a png.`,
    );
  let elements = 0;
  for (let at = svg.indexOf("<"); at >= 0; at = svg.indexOf("<", at + 1))
    if (svg[at + 1] !== "/") elements += 1;
  if (elements > MOST_ELEMENTS)
    throw pictureFault(
      `An svg has at most ${MOST_ELEMENTS} elements. Use a png.`,
    );
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
