import { parse as parseCss, walk, type CssNode } from "css-tree";
import { parse, parseFragment, type DefaultTreeAdapterTypes } from "parse5";

// What no merged document may hold, whoever wrote its template and its data.

const HTML =
  /^(html|head|body|title|style|meta|main|header|footer|section|article|p|div|span|h[1-6]|a|b|strong|i|em|u|s|del|ins|mark|small|sub|sup|abbr|cite|q|kbd|samp|var|br|hr|ul|ol|li|dl|dt|dd|blockquote|pre|code|table|caption|colgroup|col|thead|tbody|tfoot|tr|th|td|img|figure|figcaption)$/;
const SVG =
  /^(svg|g|path|rect|circle|line|polyline|polygon|text|tspan|title|image|foreignObject|defs|linearGradient|stop|use|a)$/;
/** Of Outlook, in comments that only it reads. */
const OFFICE = /^(v:image|v:rect|v:fill|v:textbox|center|xml|noscript|o:.*)$/;
const ADDRESSES = /^(href|xlink:href|src|background|data|poster|ping|cite)$/;
const PROTOCOLS = /^(https?|mailto|tel|asset):$/;
const PICTURE = /^data:image\/(png|jpe?g|gif|webp|avif|bmp|x-icon)[;,]/i;
const DRAWING = /^data:image\/svg\+xml[;,]/i;
const METAS =
  /^(viewport|x-apple-disable-message-reformatting|(supported-)?color-schemes?)$/;

/** Scripts, what may start or load something, and what no template can ask for; empty when all is well. */
export function audit(elements: readonly Element[]): string[] {
  return elements.flatMap((element) => [
    ...auditName(element),
    ...element.attrs.flatMap(({ name, value }) =>
      auditAttribute(element.tagName, name, value),
    ),
    ...(element.tagName === "style"
      ? auditCss(getSourceText(element), "stylesheet")
      : []),
  ]);
}

function auditName({ tagName, namespaceURI, attrs }: Element): string[] {
  const allowed = namespaceURI.endsWith("/svg") ? SVG : HTML;
  if (!allowed.test(tagName) && !OFFICE.test(tagName)) return [`<${tagName}>`];
  const isOdd = attrs.some(
    ({ name, value }) =>
      name === "http-equiv" || (name === "name" && !METAS.test(value)),
  );
  return tagName === "meta" && isOdd ? ["<meta>"] : [];
}

function auditAttribute(tag: string, name: string, value: string): string[] {
  const shownAttribute = `${tag} ${name}="${value.slice(0, 80)}"`;
  if (/^on|^srcdoc$|^srcset$|action$/i.test(name)) return [shownAttribute];
  if (name === "style")
    return auditCss(value, "declarationList").map(
      (one) => `${shownAttribute}: ${one}`,
    );
  return ADDRESSES.test(name) && !isHarmless(value, tag)
    ? [shownAttribute]
    : [];
}

/** The address is taken apart as a browser does it. */
function isHarmless(address: string, tag: string): boolean {
  if (!URL.canParse(address, "https://base.example/")) return true;
  const { protocol, href } = new URL(address, "https://base.example/");
  if (PROTOCOLS.test(protocol) || PICTURE.test(href)) return true;
  return tag !== "a" && DRAWING.test(href);
}

function auditCss(css: string, context: CssContext): string[] {
  const { urls, unknown } = readCss(css, context);
  return [...unknown, ...urls.flatMap(auditUrl)];
}

/** CSS loads nothing: there are tokens that images replace, pictures that are there, and our own drawings. */
function auditUrl(url: string): string[] {
  if (/^(platen-asset-[0-9a-f]{32}|#[\w-]+)?$/.test(url)) return [];
  if (PICTURE.test(url)) return [];
  const art = getArt(url);
  if (art !== null) return audit(readMarkup(art)).map((one) => `art: ${one}`);
  return DRAWING.test(url) ? [] : [`url(${url.slice(0, 80)})`];
}

/** The markup of a header or footer, which is drawn as an image of our own; null for any other address. */
export function getArt(url: string): string | null {
  const [, body] =
    /^data:image\/svg\+xml;charset=utf-8,([^]*)$/.exec(url) ?? [];
  return body === undefined ? null : decodeURIComponent(body);
}

/**
 * Elements with the names of their attributes, their classes and declared properties: what data cannot add to. The
 * classes after `from-data` are data.
 */
export function getOutline(elements: readonly Element[]): string[] {
  return elements
    .filter(({ namespaceURI }) => !namespaceURI.endsWith("/svg"))
    .map((element) => {
      const names = element.attrs.map(({ name }) => name).join(" ");
      const isSheet = element.tagName === "style";
      const css = isSheet
        ? readCss(getSourceText(element), "stylesheet")
        : readCss(attribute(element, "style") ?? "", "declarationList");
      const classes = attribute(element, "class") ?? "";
      const own = classes.replace(/^from-data [^]*/, "from-data");
      return `<${element.tagName} ${names}> .${own} {${css.outline}}`;
    });
}

type CssContext = "stylesheet" | "declarationList";

/** What a style sheet or a `style` attribute holds, read by a parser of CSS as browsers have it. */
interface CssFacts {
  urls: string[];
  /** Functions and at-rules that no merged document has. */
  unknown: string[];
  /** Selectors, at-rules and properties without values: what data must not change. */
  outline: string;
}

const FUNCTIONS =
  /^(rgba?|hsla?|calc|min|max|clamp|var|counter|linear-gradient|translate|rotate|scale)$/;
const AT_RULES = /^(page|media|layer|scope|(top|bottom)-(left|center|right))$/;

/** Thousands of documents share a few style sheets. */
const known = new Map<string, CssFacts>();

export function readCss(css: string, context: CssContext): CssFacts {
  const facts = known.get(css) ?? getFacts(css, context);
  known.set(css, facts);
  return facts;
}

function getFacts(css: string, context: CssContext): CssFacts {
  const urls: string[] = [];
  const unknown: string[] = [];
  const outline: string[] = [];
  walk(
    parseCss(css, { context, parseCustomProperty: true }),
    (node: CssNode) => {
      switch (node.type) {
        case "Url":
          urls.push(node.value);
          break;
        case "Function":
          if (!FUNCTIONS.test(node.name)) unknown.push(`${node.name}()`);
          break;
        case "Atrule":
          if (!AT_RULES.test(node.name)) unknown.push(`@${node.name}`);
          outline.push(`@${node.name}`);
          break;
        case "Declaration":
          outline.push(node.property);
          break;
        case "Rule":
        case "TypeSelector":
        case "ClassSelector":
          outline.push("name" in node ? node.name : "{");
          break;
        default:
      }
    },
  );
  return { urls, unknown, outline: outline.join(" ") };
}

export type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

/** Every element of a document, as a browser reads it: with scripts, and without where that makes a difference. */
export function readDocument(html: string): Element[] {
  const readings = /<noscript/i.test(html) ? [true, false] : [true];
  return readings.flatMap((scriptingEnabled) => [
    ...toElements(parse(html, { scriptingEnabled })),
  ]);
}

/** Every element of a piece of markup. */
export function readMarkup(markup: string): Element[] {
  return [...toElements(parseFragment(markup))];
}

/** In the order in which they open: those in templates too, and those that only Outlook sees. */
function* toElements(node: Node): Generator<Element> {
  if ("tagName" in node) yield node;
  if ("content" in node) yield* toElements(node.content);
  if ("data" in node) yield* toElements(parseConditional(node.data));
  if ("childNodes" in node)
    for (const child of node.childNodes) yield* toElements(child);
}

/** What stands between `[if mso]>` and `<![endif]`. */
function parseConditional(comment: string): Node {
  const inside = /^\[if [^\]]*\]>([^]*)<!\[endif\]$/.exec(comment)?.[1];
  return parseFragment(inside ?? "");
}

export function getSourceText(element: Element): string {
  return element.childNodes
    .map((node) => ("value" in node ? node.value : ""))
    .join("");
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((one) => one.name === name)?.value;
}
