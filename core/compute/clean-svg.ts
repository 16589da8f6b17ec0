import { SaxesParser } from "saxes";
import {
  cleanCss,
  type CssCleaning,
  cleanCssValue,
  PAINTING,
} from "./clean-css.js";
import { createSvgError, readSvgText } from "./svg-text.js";

/** A drawing without anything that could run, or load something. */
export interface CleanSvg {
  svg: string;
  /** What was changed or left out and may be missed, in sentences; at most 20. */
  changes: string[];
  /** The pixel images inside of it. */
  images: Uint8Array[];
}

const MAX_ELEMENTS = 20_000;
const MAX_DEPTH = 200;
const MAX_CHANGES = 20;
/** Of drawings in drawings. */
const MAX_NESTING = 4;

const SVG = "http://www.w3.org/2000/svg";
const XHTML = "http://www.w3.org/1999/xhtml";
const XLINK = "http://www.w3.org/1999/xlink";

/** What can be seen by itself; `use` and `foreignObject` show something else. */
const SHAPE_NAMES = "path rect circle ellipse line polyline polygon image text";
const SHAPES = words(SHAPE_NAMES);
const SVG_ELEMENTS = words(
  `${SHAPE_NAMES} ` +
    "svg g a tspan textPath defs symbol use clipPath mask linearGradient radialGradient stop pattern marker title desc " +
    "style switch foreignObject filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix " +
    "feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR " +
    "feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight " +
    "feTile feTurbulence",
);
/** Only shown where another element refers to them. */
const TEMPLATES = words(
  "defs symbol clipPath mask pattern marker linearGradient radialGradient filter title desc style",
);
const ANIMATIONS = words(
  "animate animateColor animateMotion animateTransform discard set",
);
/** No browser draws them. */
const UNDRAWN = words(
  "metadata view cursor font font-face font-face-src font-face-name font-face-uri font-face-format glyph missing-glyph " +
    "hkern vkern color-profile altGlyphDef mpath",
);
/** Text and tables, which drawing programs write into `foreignObject`. */
const HTML_ELEMENTS = words(
  "a abbr article aside b bdi bdo big blockquote body br caption center cite code col colgroup dd del dfn div dl dt em " +
    "figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr html i img ins kbd label li main mark nav ol p pre q rp rt " +
    "ruby s samp section small span strike strong style sub sup table tbody td tfoot th thead time tr tt u ul var wbr",
);
const HTML_ATTRIBUTES = words(
  "align alt bgcolor border cellpadding cellspacing class color colspan dir face height id lang reversed rowspan size " +
    "span src start style title valign value width",
);

function words(text: string): Set<string> {
  return new Set(text.split(" "));
}

/**
 * Reads an SVG as a browser does that shows it in a page, and writes it anew: without scripts, animation, and whatever
 * it loads from elsewhere.
 * @throws PlatenError `invalid_request` for a drawing that is damaged, incomplete or too large
 */
export function cleanSvg(bytes: Uint8Array, nesting = 0): CleanSvg {
  const text = readSvgText(bytes);
  assertElements(text);
  return new SvgCleaner(nesting).clean(text);
}

function assertElements(text: string): void {
  let elements = 0;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1))
    if (text[at + 1] !== "/") elements += 1;
  if (elements > MAX_ELEMENTS)
    throw createSvgError(
      `The SVG has more than ${MAX_ELEMENTS} elements. Use a PNG instead.`,
    );
}

interface OpenElement {
  /** As it is written; null for one that is left out with all that is inside. */
  name: string | null;
  namespace: string;
  local: string;
  prefixes: ReadonlyMap<string, string>;
  /** Whether it is shown where it stands. */
  isVisible: boolean;
  /** By which it could be shown elsewhere, although a part around it is hidden; null where none is. */
  hiddenIds: string[] | null;
  /** The text of a style sheet, which is cleaned as a whole. */
  css: string[] | null;
  painted: Painted;
  /** What its `href` or `src` names. */
  reference: string | null;
}

type Attributes = Record<string, string>;

/** What says how an element is painted; a later one of these counts less. */
interface Painted {
  local: string;
  style: Map<string, string>;
  /** By which a style sheet may select it: its id, classes and name. */
  selectors: readonly string[];
  attributes: Map<string, string>;
  parent: Painted | undefined;
}

/** Longer texts are searched for no missing reference. */
const MAX_PAINT = 500;
/** A reference without a color that would be used in its place. */
const PAINT_REFERENCE =
  /^\s*url\(\s*["']?(#?)([^"'()\\]*?)\s*["']?\s*\)\s*(?:!\s*important\s*)?;?\s*$/i;

/** The id that a color refers to, empty for `url()`; null for others, and for an address that was left out: `url(#)`. */
function readPaintReference(paint: string): string | null {
  if (paint.length > MAX_PAINT) return null;
  const [reference, hash, id = ""] = PAINT_REFERENCE.exec(paint) ?? [];
  return reference === undefined || (hash === "#") === (id === "") ? null : id;
}

const ZERO =
  /^\s*[+-]?(?:0+\.?0*|\.0+)(?:[a-z]+|%)?\s*(?:!\s*important\s*)?;?\s*$/i;
/** Nobody clicks on paper. */
const STARTED_BY_READER =
  /^(?:indefinite|accessKey\(.*\)|(?:[\w-]+\.)?(?:(?:dbl)?click|activate|focus\w*|(?:mouse|key|touch|pointer)\w+)(?:\s*[+-].*)?)$/i;

const HIDDEN = /(?:^|;)\s*display\s*:\s*none\b/i;

/** Its type and parameters have no character that could end the address where it is written anew. */
const DATA_URL =
  /^data:\s*([\w.+-]+\/[\w.+-]+)\s*((?:;[\w\s.+=%-]*)*),([^]*)$/i;

class SvgCleaner {
  readonly #changes = new Set<string>();
  readonly #images: Uint8Array[] = [];
  readonly #open: OpenElement[] = [];
  readonly #parts: string[] = [];
  readonly #ids = new Set<string>();
  /** What visible elements refer to that show nothing else. */
  readonly #used: { local: string; id: string }[] = [];
  /** The shapes and texts that are visible. */
  readonly #shapes = new Set<Painted>();
  /** The colors of style sheets, by property and selector. */
  readonly #sheetPaints = new Map<string, string>();
  readonly #paintReferences = new Set<string>();
  /** By which style sheets may select the elements. */
  readonly #selectors = new Set<string>();
  readonly #animatedSelectors: string[] = [];
  /** What hidden elements refer to in vain. */
  readonly #hiddenReferences: {
    part: string;
    address: string;
    ids: string[];
  }[] = [];
  #hasShape = false;
  #isWithoutNamespace = false;
  readonly #css: CssCleaning = {
    keepAddress: (address) => this.#keepAddress(address),
    report: (part, address) => this.#leaveOut(part, address),
    animation: (selector) => this.#animatedSelectors.push(selector),
  };

  constructor(private readonly nesting: number) {}

  clean(text: string): CleanSvg {
    const parser = new SaxesParser({ xmlns: false });
    parser.on("error", ({ message }) => {
      const isEarlyEnd = /unclosed tag|unexpected end/.test(message);
      const place = /^(?:undefined:)?(\d+):(\d+): (.*)$/s.exec(message);
      const where = place ? `line ${place[1]}: ${place[3]}` : message;
      throw createSvgError(
        isEarlyEnd
          ? "The image is incomplete: its data ends early. Use the complete file."
          : `The SVG is damaged, in ${where.replace(/\.$/, "")}. Browsers show nothing of it. Correct it, or save it again.`,
      );
    });
    parser.on("processinginstruction", ({ target, body }) => {
      if (target === "xml-stylesheet")
        this.#leaveOut(
          "The style sheet <?xml-stylesheet?>",
          /href\s*=\s*["']([^"']*)/.exec(body)?.[1] ?? "",
        );
    });
    parser.on("opentag", ({ name, attributes }) =>
      this.#openElement(name, attributes),
    );
    parser.on("text", (part) => this.#addText(part));
    parser.on("cdata", (part) => this.#addText(part));
    parser.on("closetag", () => this.#closeElement());
    parser.write(text).close();
    this.#reportMissing();
    this.#reportHidden();
    if (this.#animatedSelectors.some((list) => this.#isSelected(list)))
      this.#change("A CSS animation was left out: on paper, nothing moves.");
    const isShown =
      this.#hasShape ||
      this.#used.some(({ local, id }) => local === "use" && this.#hasId(id));
    if (!isShown)
      this.#change("The drawing is empty: nothing in it can be seen.");
    return {
      svg: this.#parts.join(""),
      changes: [...this.#changes],
      images: this.#images,
    };
  }

  #openElement(tag: string, attributes: Attributes): void {
    const parent = this.#open.at(-1);
    if (this.#open.length >= MAX_DEPTH)
      throw createSvgError(
        `The SVG has elements inside of each other, more than ${MAX_DEPTH} deep. Use a PNG instead.`,
      );
    const prefixes = readPrefixes(attributes, parent?.prefixes);
    const [local, prefix = ""] = tag.split(":", 2).toReversed();
    if (local === undefined) return;
    const namespace = parent
      ? this.#findNamespace(prefixes.get(prefix), local, parent)
      : this.#findRootNamespace(prefixes.get(prefix), tag);
    const name =
      parent?.name === null
        ? null
        : this.#allow(tag, local, namespace, parent, attributes);
    const isHidden =
      attributes["display"]?.trim() === "none" ||
      HIDDEN.test(attributes["style"] ?? "");
    const { id } = attributes;
    const element: OpenElement = {
      name,
      namespace,
      local,
      prefixes,
      isVisible:
        name !== null &&
        (parent?.isVisible ?? true) &&
        !(namespace === SVG && TEMPLATES.has(local)) &&
        !isHidden,
      hiddenIds: isHidden
        ? []
        : (parent?.hiddenIds?.concat(id === undefined ? [] : [id]) ?? null),
      css: name === "style" ? [] : null,
      painted: {
        local,
        style: new Map(),
        selectors: listSelectors(local, attributes),
        attributes: new Map(),
        parent: parent?.painted,
      },
      reference: null,
    };
    this.#open.push(element);
    if (name === null) return;
    for (const selector of element.painted.selectors)
      this.#selectors.add(selector);
    this.#parts.push(`<${name}`);
    if (namespace !== (parent?.namespace ?? ""))
      this.#write("xmlns", namespace);
    if (!parent) this.#write("xmlns:xlink", XLINK);
    for (const [key, value] of Object.entries(attributes))
      this.#addAttribute(element, key, value);
    this.#parts.push(">");
    if (element.isVisible) this.#noteVisible(element);
  }

  #findRootNamespace(declared: string | undefined, tag: string): string {
    if (declared === SVG) return SVG;
    if (declared !== undefined || tag !== "svg")
      throw createSvgError(
        `The SVG is damaged: its first element, <${tag}>, is not svg of the namespace ${SVG}. Browsers show nothing of it.`,
      );
    this.#isWithoutNamespace = true;
    this.#change(
      `The SVG has no xmlns="${SVG}", without which browsers show nothing of it. It was added.`,
    );
    return SVG;
  }

  /** Where no namespace is declared at all, the file is a part of an HTML page. */
  #findNamespace(
    declared: string | undefined,
    local: string,
    parent: OpenElement,
  ): string {
    if (declared !== undefined || !this.#isWithoutNamespace)
      return declared ?? "";
    if (local === "svg") return SVG;
    return parent.local === "foreignObject" || parent.namespace === XHTML
      ? XHTML
      : SVG;
  }

  /** Its name as it is written; null for an element that is left out. */
  #allow(
    tag: string,
    local: string,
    namespace: string,
    parent: OpenElement | undefined,
    { begin = "0s" }: Attributes,
  ): string | null {
    if (namespace === SVG && SVG_ELEMENTS.has(local)) return local;
    if (
      namespace === XHTML &&
      HTML_ELEMENTS.has(local) &&
      (local === "style" ||
        parent?.namespace === XHTML ||
        parent?.local === "foreignObject")
    )
      return local;
    const isDrawn = namespace === SVG || namespace === XHTML;
    if (local === "script" && isDrawn) this.#change("A script was left out.");
    else if (namespace === SVG && ANIMATIONS.has(local)) {
      const starts = begin.split(";").map((start) => start.trim());
      if (!starts.every((start) => STARTED_BY_READER.test(start)))
        this.#change(
          `The animation <${local}> was left out: on paper, nothing moves.`,
        );
    } else if (isDrawn ? !UNDRAWN.has(local) : /^$|\/MathML$/.test(namespace))
      this.#change(`<${tag}> was left out: it cannot be drawn.`);
    return null;
  }

  #addAttribute(element: OpenElement, key: string, value: string): void {
    const isHtml = element.namespace === XHTML;
    if (/^xmlns(?::|$)/.test(key)) return;
    if (/^on[a-z]+$/i.test(key)) {
      this.#change(`The event handler ${key} was left out.`);
      return;
    }
    const name = this.#canonicalName(element, key);
    if (/^(?:image)?srcset$/i.test(key)) {
      if (isHtml)
        this.#change(
          "The attribute srcset was left out. Write one image into src.",
        );
      return;
    }
    if (name === null || (isHtml && !HTML_ATTRIBUTES.has(name))) return;
    if (name === "cursor") return;
    const { style, attributes } = element.painted;
    if (name === "href" || name === "xlink:href" || name === "src")
      this.#addReference(element, name, value);
    else if (name === "style")
      this.#write(
        name,
        cleanCss(value, {
          ...this.#css,
          paint: (property, paint) => this.#notePaint(style, property, paint),
        }),
      );
    else {
      const cleaned = /url|src|image|\\/i.test(value)
        ? cleanCssValue(value, name, this.#css)
        : value;
      if (cleaned === null) return;
      if (name === "id") this.#ids.add(value);
      if (PAINTING.test(name)) this.#notePaint(attributes, name, cleaned);
      this.#write(name, cleaned);
    }
  }

  /** `xlink:` and `xml:` are the prefixes that mean something; attributes of other namespaces draw nothing. */
  #canonicalName({ prefixes }: OpenElement, key: string): string | null {
    const [local = "", prefix] = key.split(":", 2).toReversed();
    if (prefix === undefined) return key;
    if (prefix === "xml") return /^(?:space|lang)$/.test(local) ? key : null;
    if (local !== "href") return null;
    const namespace = prefixes.get(prefix);
    if (namespace === undefined && prefix === "xlink")
      this.#change(
        `The SVG does not declare xmlns:xlink="${XLINK}", without which browsers show nothing of it. It was added.`,
      );
    else if (namespace !== XLINK) return null;
    return "xlink:href";
  }

  #addReference(element: OpenElement, name: string, value: string): void {
    const { local, namespace } = element;
    // A link does nothing in a picture.
    if (local === "a" || value.trim() === "") return;
    const isImage =
      /^(?:image|feImage|img)$/.test(local) || !/^data:/i.test(value);
    const address = isImage ? this.#keepAddress(value.trim()) : null;
    const part = `What <${local}> refers to${namespace === XHTML ? " in HTML" : ""}`;
    if (address === null && element.hiddenIds)
      this.#hiddenReferences.push({
        part,
        address: value,
        ids: element.hiddenIds,
      });
    else if (address === null) this.#leaveOut(part, value);
    else {
      this.#write(name, address);
      if (name !== "xlink:href") element.reference = address;
      else element.reference ??= address;
    }
  }

  #noteVisible({ local, namespace, painted, reference }: OpenElement): void {
    if (namespace === XHTML) this.#hasShape = true;
    else if (local === "image") this.#hasShape ||= reference !== null;
    else if (/^(?:use|textPath)$/.test(local)) {
      if (reference !== null)
        this.#used.push({ local, id: reference.slice(1) });
    } else if (local !== "text" && SHAPES.has(local)) {
      this.#hasShape = true;
      this.#shapes.add(painted);
    }
  }

  #notePaint(paints: Map<string, string>, name: string, paint: string): void {
    paints.set(name, paint);
    const id = readPaintReference(paint);
    if (id !== null) this.#paintReferences.add(id);
  }

  #addText(text: string): void {
    const element = this.#open.at(-1);
    if (!element || element.name === null) return;
    if (element.css) element.css.push(text);
    else {
      if (element.isVisible && text.trim() !== "" && this.#isInText()) {
        this.#hasShape = true;
        this.#shapes.add(element.painted);
      }
      this.#parts.push(escapeText(text));
    }
  }

  #isInText(): boolean {
    return this.#open.some(({ name }) => name === "text");
  }

  #closeElement(): void {
    const element = this.#open.pop();
    if (!element || element.name === null) return;
    const { name, css } = element;
    if (css) this.#parts.push(escapeText(this.#cleanSheet(css.join(""))));
    this.#parts.push(`</${name}>`);
  }

  #cleanSheet(css: string): string {
    // A program that reads the file as HTML would take it for an element.
    if (!/<[/!?a-z]/i.test(css))
      return cleanCss(css, {
        ...this.#css,
        paint: (property, paint, selector) => {
          for (const name of listLastNames(selector))
            this.#notePaint(this.#sheetPaints, `${property} ${name}`, paint);
        },
      });
    this.#change("A style sheet was left out, because it contains markup.");
    return "";
  }

  /** What refers to an element that the drawing does not have, and so is not seen. */
  #reportMissing(): void {
    const report = (what: string, id: string) =>
      this.#change(
        `${what} refers to ${id === "" ? "nothing" : `"#${id}", which is not in the SVG`}, and is not drawn.`,
      );
    for (const { local, id } of this.#used)
      if (!this.#hasId(id)) report(`<${local}>`, id);
    const missing = new Set(
      [...this.#paintReferences].filter((id) => !this.#hasId(id)),
    );
    if (missing.size === 0) return;
    for (const shape of this.#shapes)
      for (const property of ["fill", "stroke"]) {
        if (!this.#isPainted(shape, property)) continue;
        const id = readPaintReference(this.#findPaint(shape, property));
        if (id !== null && missing.has(id))
          report(`The ${property} of <${shape.local}>`, id);
      }
  }

  #reportHidden(): void {
    for (const { part, address, ids } of this.#hiddenReferences)
      if (this.#used.some(({ id }) => ids.includes(id)))
        this.#leaveOut(part, address);
  }

  /** Whether a color of a shape would be seen. */
  #isPainted(shape: Painted, property: string): boolean {
    if (property === "fill" && shape.local === "line") return false;
    const measures = [
      "opacity",
      `${property}-opacity`,
      ...(property === "stroke" ? ["stroke-width"] : []),
    ];
    return measures.every((measure) => {
      const value = this.#findPaint(shape, measure);
      return value === "" || !ZERO.test(value);
    });
  }

  /** Whether the drawing has elements, at rest, of all names in one selector of a list; empty stands for an attribute. */
  #isSelected(list: string): boolean {
    if (list === "" || list.length > MAX_PAINT || list.includes("\\"))
      return true;
    return list
      .replaceAll(/:[\w-]+\([^)]*\)|\[[^\]]*\]|&/g, "")
      .split(",")
      .filter((selector) => !/:(?:hover|active|focus|target)/i.test(selector))
      .some((selector) =>
        (selector.replaceAll(/:[\w-]+/g, "").match(SELECTOR_NAMES) ?? []).every(
          (name) => this.#selectors.has(name),
        ),
      );
  }

  #findPaint(shape: Painted, property: string): string {
    for (
      let painted: Painted | undefined = shape;
      painted;
      painted = painted.parent
    ) {
      const [sheetPaint] = painted.selectors.flatMap(
        (name) => this.#sheetPaints.get(`${property} ${name}`) ?? [],
      );
      const paint =
        painted.style.get(property) ??
        sheetPaint ??
        painted.attributes.get(property);
      if (paint !== undefined && !/^\s*inherit\b/i.test(paint)) return paint;
    }
    return "";
  }

  #hasId(id: string): boolean {
    return this.#ids.has(id) || this.#ids.has(decodePercents(id));
  }

  /** An address inside of the file, or a data URL of an image or a font; null for any other. */
  #keepAddress(address: string): string | null {
    if (address.startsWith("#")) return address;
    const [, type = "", parameters = "", content = ""] =
      DATA_URL.exec(address) ?? [];
    const isBase64 = /;\s*base64\s*$/i.test(parameters);
    if (/^(?:font\/|application\/(?:[\w.-]*font|octet-stream))/i.test(type))
      return isBase64 && /^[\w+/=\s%-]*$/.test(content)
        ? address.replaceAll(/\s/g, "")
        : null;
    if (!/^image\//i.test(type)) return null;
    const bytes = decodeData(content, isBase64);
    // A declared type may be wrong; browsers that see a drawing anyway would load what it refers to.
    const isSvg = /^image\/svg\+xml$/i.test(type);
    if (!isSvg && isMarkup(bytes)) return null;
    if (!isSvg) this.#images.push(bytes);
    const inside = isSvg ? this.#cleanInside(bytes) : bytes;
    return `data:${type.toLowerCase()};base64,${inside.toString("base64")}`;
  }

  #cleanInside(bytes: Buffer): Buffer {
    if (this.nesting >= MAX_NESTING)
      throw createSvgError(
        `The SVG has images inside of each other, more than ${MAX_NESTING} deep. Use a PNG instead.`,
      );
    const { svg, changes, images } = cleanSvg(bytes, this.nesting + 1);
    for (const change of changes) this.#change(change);
    this.#images.push(...images);
    return Buffer.from(svg);
  }

  #leaveOut(part: string, address: string): void {
    const text = address.length > 80 ? `${address.slice(0, 79)}…` : address;
    this.#change(
      /^data:/i.test(address)
        ? `${part} was left out: "${text}" is not the data of an image that its type names. Correct or remove it.`
        : `${part} was left out: "${text}" is outside of the SVG. Embed it as a data URL, or remove it.`,
    );
  }

  #change(sentence: string): void {
    if (this.#changes.size < MAX_CHANGES) this.#changes.add(sentence);
  }

  #write(name: string, value: string): void {
    this.#parts.push(` ${name}="${escapeAttribute(value)}"`);
  }
}

/** From the most specific one to the least. */
function listSelectors(local: string, attributes: Attributes): string[] {
  const { id, class: classes = "" } = attributes;
  return [
    ...(id === undefined ? [] : [`#${id}`]),
    ...classes.split(/\s+/).map((name) => `.${name}`),
    local,
    "*",
  ];
}

const SELECTOR_NAMES = /[.#]?[^\s.#>+~*|]+|\*/g;

/** The last name of each selector of a list, which is that of the elements themselves. */
function listLastNames(selectors: string): string[] {
  if (selectors.length > MAX_PAINT) return [];
  return selectors
    .replaceAll(/:[\w-]+(?:\([^)]*\))?|\[[^\]]*\]/g, "")
    .split(",")
    .flatMap((selector) => selector.match(SELECTOR_NAMES)?.at(-1) ?? []);
}

function decodePercents(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The namespaces by their prefixes; "" stands for elements without one. */
function readPrefixes(
  attributes: Attributes,
  outer: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const declared = Object.entries(attributes).flatMap(([key, value]) => {
    const declaration = /^xmlns(?::(.+))?$/.exec(key);
    return declaration ? [[declaration[1] ?? "", value] as const] : [];
  });
  return declared.length === 0 ? outer : new Map([...outer, ...declared]);
}

/** Whether bytes begin as XML or HTML does, in UTF-8 or UTF-16, or are compressed (svgz). */
function isMarkup(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 1024).toString("latin1");
  return (
    /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*</.test(start) ||
    start.startsWith("\x1f\x8b")
  );
}

function decodeData(content: string, isBase64: boolean): Buffer {
  const bytes = content.includes("%")
    ? Buffer.from(
        Buffer.from(content)
          .toString("latin1")
          .replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) =>
            String.fromCharCode(Number.parseInt(hex, 16)),
          ),
        "latin1",
      )
    : Buffer.from(content);
  return isBase64 ? Buffer.from(bytes.toString("latin1"), "base64") : bytes;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

function escapeText(text: string): string {
  return text.replace(/[&<\r]|>/g, (mark) => ESCAPES[mark] ?? mark);
}

function escapeAttribute(value: string): string {
  return value.replace(/[&<>"\t\n\r]/g, (mark) => ESCAPES[mark] ?? mark);
}
