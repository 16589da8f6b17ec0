// The elements and attributes of HTML and MJML that markup may use. Everything else is refused by name.

export type MarkupLanguage = "html" | "mjml";

/** What the value of an attribute is, which decides how it is checked and how expressions in it are escaped. */
export type AttributeKind =
  | "text"
  /** An address that a reader may follow. */
  | "link"
  /** The address of an image, which is fetched and embedded. */
  | "image"
  /** CSS declarations. */
  | "style"
  /** A CSS value of SVG, in which `url()` may only name a part of the same drawing. */
  | "paint"
  /** `#name` of a part of the same drawing. */
  | "fragment"
  /** Read once, when the template is compiled, so that it cannot have expressions. */
  | "constant";

type Attributes = Readonly<Record<string, AttributeKind>>;

const words = (list: string): string[] => list.split(/\s+/).filter(Boolean);

const all = (list: string, kind: AttributeKind): Attributes =>
  Object.fromEntries(words(list).map((name) => [name, kind]));

const GLOBAL: Attributes = {
  ...all("id class title lang dir role hidden translate", "text"),
  style: "style",
};

/** Tables of emails are still laid out by attributes. */
const TABLE = all(
  "align valign width height bgcolor border cellpadding cellspacing",
  "text",
);
const CELL = {
  ...TABLE,
  ...all("colspan rowspan headers scope abbr", "text"),
};

const HTML: Readonly<Record<string, Attributes>> = {
  ...Object.fromEntries(
    words(
      "address article aside footer header h1 h2 h3 h4 h5 h6 hgroup nav search section dd div dl dt figcaption figure " +
        "hr menu p pre ul abbr b bdi bdo br cite code dfn em i kbd mark rp rt ruby s samp small span strong sub sup u " +
        "var wbr caption template summary blockquote q",
    ).map((name) => [name, {}]),
  ),
  a: { href: "link", ...all("target rel name", "text") },
  ol: all("start reversed type", "text"),
  li: all("value", "text"),
  time: all("datetime", "text"),
  data: all("value", "text"),
  ins: all("datetime", "text"),
  del: all("datetime", "text"),
  details: all("open name", "text"),
  img: { src: "image", ...all("alt width height", "text") },
  meter: all("value min max low high optimum", "text"),
  progress: all("value max", "text"),
  table: TABLE,
  thead: TABLE,
  tbody: TABLE,
  tfoot: TABLE,
  tr: TABLE,
  td: CELL,
  th: CELL,
  col: { ...all("span", "text"), ...TABLE },
  colgroup: { ...all("span", "text"), ...TABLE },
};

export const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  words("br col hr img wbr"),
);

const SVG_GLOBAL: Attributes = {
  ...all("id class lang role transform", "text"),
  ...all(
    "x y x1 y1 x2 y2 cx cy r rx ry fx fy fr width height d points viewBox preserveAspectRatio pathLength dx dy rotate " +
      "textLength lengthAdjust startOffset method spacing side offset gradientUnits gradientTransform spreadMethod " +
      "clipPathUnits maskUnits maskContentUnits patternUnits patternContentUnits patternTransform markerUnits " +
      "markerWidth markerHeight refX refY orient filterUnits primitiveUnits in in2 result stdDeviation edgeMode " +
      "values type mode operator k1 k2 k3 k4 scale xChannelSelector yChannelSelector radius order kernelMatrix " +
      "divisor bias targetX targetY preserveAlpha tableValues slope intercept amplitude exponent surfaceScale " +
      "specularConstant specularExponent diffuseConstant limitingConeAngle azimuth elevation z pointsAtX pointsAtY " +
      "pointsAtZ baseFrequency numOctaves seed stitchTiles xmlns version focusable",
    "text",
  ),
  ...all(
    "fill stroke filter mask clip-path marker-start marker-mid marker-end",
    "paint",
  ),
  ...all(
    "alignment-baseline baseline-shift clip-rule color color-interpolation color-interpolation-filters direction display " +
      "dominant-baseline fill-opacity fill-rule flood-color flood-opacity font-family font-size font-stretch font-style " +
      "font-variant font-weight letter-spacing lighting-color opacity overflow paint-order shape-rendering stop-color " +
      "stop-opacity stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity " +
      "stroke-width text-anchor text-decoration text-rendering transform-origin unicode-bidi vector-effect visibility " +
      "word-spacing writing-mode",
    "paint",
  ),
  style: "style",
};

const SVG: Readonly<Record<string, Attributes>> = {
  ...Object.fromEntries(
    words(
      "svg g defs symbol path rect circle ellipse line polyline polygon text tspan title desc stop clipPath mask marker " +
        "filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting " +
        "feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge " +
        "feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence",
    ).map((name) => [name, {}]),
  ),
  a: { href: "link" },
  use: { href: "fragment", "xlink:href": "fragment" },
  textPath: { href: "fragment", "xlink:href": "fragment" },
  linearGradient: { href: "fragment", "xlink:href": "fragment" },
  radialGradient: { href: "fragment", "xlink:href": "fragment" },
  pattern: { href: "fragment", "xlink:href": "fragment" },
  image: { href: "image", "xlink:href": "image" },
};

// MJML. Its components are converted to HTML once, before any record is merged, and compute with their attributes.

const BOX = all(
  "padding padding-top padding-right padding-bottom padding-left css-class",
  "constant",
);
const PAINTED = all(
  "background-color container-background-color color border border-top border-right border-bottom border-left " +
    "border-radius inner-border inner-border-radius inner-background-color border-color border-style border-width",
  "constant",
);
const FONT = all(
  "font-family font-size font-style font-weight letter-spacing line-height text-align text-decoration text-transform " +
    "align vertical-align direction",
  "constant",
);
const SIZE = all("width height max-width min-width", "constant");
const ROW: Attributes = {
  ...BOX,
  ...PAINTED,
  ...FONT,
  ...all(
    "background-position background-position-x background-position-y background-repeat background-size full-width gap " +
      "text-padding",
    "constant",
  ),
  "background-url": "image",
};

const MJML: Readonly<Record<string, Attributes>> = {
  "mj-wrapper": ROW,
  "mj-section": ROW,
  "mj-group": { ...BOX, ...PAINTED, ...FONT, ...SIZE },
  "mj-column": { ...BOX, ...PAINTED, ...FONT, ...SIZE },
  "mj-hero": {
    ...ROW,
    ...SIZE,
    ...all("mode background-height background-width", "constant"),
  },
  "mj-text": { ...BOX, ...PAINTED, ...FONT, ...SIZE },
  "mj-button": {
    ...BOX,
    ...PAINTED,
    ...FONT,
    ...SIZE,
    ...all("inner-padding", "constant"),
    ...all("title target rel name", "text"),
    href: "link",
  },
  "mj-image": {
    ...BOX,
    ...PAINTED,
    ...FONT,
    ...SIZE,
    ...all("fluid-on-mobile", "constant"),
    ...all("alt title target rel name", "text"),
    href: "link",
    src: "image",
  },
  "mj-divider": { ...BOX, ...PAINTED, ...FONT, ...SIZE },
  "mj-spacer": { ...BOX, ...PAINTED, ...SIZE },
  "mj-table": {
    ...BOX,
    ...PAINTED,
    ...FONT,
    ...SIZE,
    ...all("cellpadding cellspacing table-layout role", "constant"),
  },
  "mj-social": {
    ...BOX,
    ...PAINTED,
    ...FONT,
    ...all(
      "mode icon-size icon-height icon-padding inner-padding text-padding table-layout",
      "constant",
    ),
  },
  "mj-social-element": {
    ...BOX,
    ...PAINTED,
    ...FONT,
    ...all(
      "name icon-size icon-height icon-padding icon-position text-padding",
      "constant",
    ),
    ...all("alt title target rel", "text"),
    href: "link",
    src: "image",
  },
};

/** Elements of MJML whose content is HTML. */
export const HTML_CONTENT: ReadonlySet<string> = new Set([
  "mj-text",
  "mj-button",
  "mj-table",
  "mj-social-element",
]);

/** Elements of MJML with the elements that they may contain; others contain none. */
const CONTENTS = words(
  "mj-text mj-button mj-image mj-divider mj-spacer mj-table mj-social",
);
export const MJML_CHILDREN: Readonly<Record<string, readonly string[]>> = {
  "mj-wrapper": ["mj-section", "mj-hero"],
  "mj-section": ["mj-column", "mj-group"],
  "mj-group": ["mj-column"],
  "mj-column": CONTENTS,
  "mj-hero": CONTENTS,
  "mj-social": ["mj-social-element"],
};
/** Elements that are a whole row of an email; all others of MJML are in a column. */
export const MJML_BLOCKS: ReadonlySet<string> = new Set([
  "mj-wrapper",
  "mj-section",
  "mj-hero",
]);

/** Why an element is refused, and what to write instead. */
const REFUSED_ELEMENTS: Readonly<Record<string, string>> = {
  script:
    "No script ever runs in a document. Use an expression, data-if or data-each.",
  iframe: "A document loads no other pages. Write the content here.",
  frame: "A document loads no other pages. Write the content here.",
  frameset: "A document loads no other pages. Write the content here.",
  object: "Write an <img>, or an image component.",
  embed: "Write an <img>, or an image component.",
  applet: "Remove it.",
  portal: "Remove it.",
  link: 'Write the style sheet in the property "css".',
  base: "Write complete addresses, such as https://example.com/page.",
  meta: 'Remove it. Title, author and keywords are set in "pdf", the language in "locale".',
  title: 'Write the title in "pdf": { "title": … }.',
  head: 'Write only what is inside <body>, and the style in the property "css".',
  html: 'Write only what is inside <body>, and the style in the property "css".',
  body: 'Write only what is inside <body>, and the style in the property "css".',
  main: "Write a <div>: the document has a <main> around this already.",
  form: "A document has no forms. For fields that people sign, use a sign-field component.",
  input:
    "A document has no forms. For fields that people sign, use a sign-field component.",
  button: "A document has no buttons. Write an <a> with a style.",
  select: "A document has no forms.",
  option: "A document has no forms.",
  textarea: "A document has no forms.",
  label: "A document has no forms. Write a <span>.",
  fieldset: "A document has no forms. Write a <section>.",
  legend: "A document has no forms. Write a heading.",
  dialog: "Write a <div>.",
  noscript: "Write its content alone: no script ever runs.",
  canvas: "Only a script could draw in it. Use an <svg> or a chart component.",
  video:
    "A printed document shows no videos. Use an image component with asset:<id>.",
  audio: "A printed document plays no sound. Remove it.",
  source: "Write an <img> with one src.",
  picture: "Write an <img> with one src.",
  track: "Remove it.",
  map: "Remove it.",
  area: "Remove it.",
  slot: "Write the content alone.",
  math: "Write an <svg>, or text.",
  marquee: "Remove it.",
  plaintext: "Write a <pre>.",
  xmp: "Write a <pre>.",
  listing: "Write a <pre>.",
  noembed: "Remove it.",
  noframes: "Remove it.",
  center: "Write a <div> with the style text-align: center.",
  font: "Write a <span> with a style.",
  tt: "Write a <code>.",
  big: "Write a <span> with a style.",
  strike: "Write an <s>.",
  acronym: "Write an <abbr>.",
  foreignobject: "Write the HTML beside the <svg>.",
  animate: "Nothing moves on paper. Set the final value.",
  animatemotion: "Nothing moves on paper. Set the final value.",
  animatetransform: "Nothing moves on paper. Set the final value.",
  animatecolor: "Nothing moves on paper. Set the final value.",
  set: "Nothing moves on paper. Set the final value.",
  discard: "Remove it.",
  feimage: "Write an <image>.",
  mjml: "Write only what is inside <mj-body>.",
  "mj-head":
    'Write only what is inside <mj-body>. Subject and preheader are set in "email".',
  "mj-body": "Write only what is inside <mj-body>.",
  "mj-include": "An email includes no files. Use a partial component.",
  "mj-raw": "Write an <mj-text>, whose content is HTML.",
  "mj-style": "Write styles as attributes, which all mail programs understand.",
  "mj-attributes": "Write the attributes on the elements.",
  "mj-font":
    "Mail programs load no fonts. Name fonts that are everywhere, such as Arial.",
  "mj-html-attributes": "Write the attributes on the elements.",
  "mj-title": 'Write "email": { "subject": … }.',
  "mj-preview": 'Write "email": { "preheader": … }.',
  "mj-carousel": "Few mail programs show it. Write <mj-image>.",
  "mj-accordion": "Few mail programs open it. Write <mj-text>.",
  "mj-navbar": "Write an <mj-text> with links.",
};

/** The directives of markup: attributes that repeat, show and hide elements. */
export const DIRECTIVES = [
  "data-each",
  "data-entries",
  "data-filter",
  "data-sort",
  "data-group-by",
  "data-offset",
  "data-limit",
  "data-empty",
  "data-if",
  "data-else-if",
  "data-else",
  "data-keep-together",
  "data-page",
  "data-page-number",
  "data-page-count",
  "data-partial",
] as const;

export type Directive = (typeof DIRECTIVES)[number];

/** Those that take no value. */
export const FLAG_DIRECTIVES: readonly Directive[] = [
  "data-entries",
  "data-else",
  "data-empty",
  "data-keep-together",
  "data-page-number",
  "data-page-count",
];

export function isDirective(name: string): name is Directive {
  return DIRECTIVES.some((directive) => directive === name);
}

/** The elements of a place, by their names as HTML parsers write them: in lower case. */
interface Vocabulary {
  /** The spelling of an element, such as `clipPath`; null for one that is not allowed. */
  findElement(name: string): string | null;
  /** What an attribute is; null for one that is not allowed. */
  findAttribute(
    element: string,
    attribute: string,
  ): { name: string; kind: AttributeKind } | null;
  elements: readonly string[];
  listAttributes(element: string): string[];
}

function createVocabulary(
  elements: Readonly<Record<string, Attributes>>,
  shared: Attributes,
): Vocabulary {
  const names = new Map(
    Object.keys(elements).map((name) => [name.toLowerCase(), name]),
  );
  const attributes = new Map(
    Object.entries(elements).map(([element, ownAttributes]) => {
      const kinds = Object.entries({ ...shared, ...ownAttributes });
      return [
        element,
        new Map(
          kinds.map(([name, kind]) => [name.toLowerCase(), { name, kind }]),
        ),
      ];
    }),
  );
  return {
    elements: Object.keys(elements),
    findElement: (name) => names.get(name) ?? null,
    findAttribute: (element, attribute) =>
      attributes.get(element)?.get(attribute) ??
      (/^(?:aria|data)-[a-z0-9-]+$/.test(attribute)
        ? { name: attribute, kind: "text" }
        : null),
    listAttributes: (element) =>
      Array.from(attributes.get(element)?.values() ?? [], ({ name }) => name),
  };
}

export const HTML_VOCABULARY = createVocabulary(
  { ...HTML, svg: SVG_GLOBAL },
  GLOBAL,
);
export const SVG_VOCABULARY = createVocabulary(SVG, SVG_GLOBAL);
export const MJML_VOCABULARY = createVocabulary(
  { ...MJML, template: {} },
  all("", "text"),
);
export type { Vocabulary };

/** Why an element of this name is not allowed; null for a name that is not known at all. */
export function explainRefusedElement(name: string): string | null {
  return Object.hasOwn(REFUSED_ELEMENTS, name)
    ? (REFUSED_ELEMENTS[name] ?? null)
    : null;
}

const REFUSED_ATTRIBUTES: Readonly<Record<string, string>> = {
  srcset: "Write one address in src.",
  srcdoc: "Remove it.",
  background: "Write background-image in a style.",
  ping: "Remove it.",
  loading: "Remove it: a document is printed when all its images are there.",
  action: "A document has no forms.",
  formaction: "A document has no forms.",
  "xml:base": "Remove it.",
};

/** Why an attribute of this name is not allowed anywhere; null for one that is not known. */
export function explainRefusedAttribute(name: string): string | null {
  if (/^on[a-z]/.test(name))
    return "No script ever runs in a document. Remove it.";
  return Object.hasOwn(REFUSED_ATTRIBUTES, name)
    ? (REFUSED_ATTRIBUTES[name] ?? null)
    : null;
}
