/** One place of a definition into which a string is put: a part of it that holds nothing else of interest. */
type Place = (value: string) => object;
export type Places = Readonly<Record<string, Place>>;

const text = (value: unknown, more: object = {}) => ({
  type: "text",
  text: value,
  ...more,
});

const styleOfText = (property: string): [string, Place] => [
  `style ${property}`,
  (value) => text("a", { style: { [property]: value } }),
];

/** Components in which no string may become an element, whatever it says. */
export const plainComponents: Places = {
  text: (value) => text(value),
  heading: (value) => ({ type: "heading", text: value, level: 2 }),
  "marked text": (value) =>
    text(["b", { text: value, marks: ["bold", "underline"] }]),
  "link of a text": (value) =>
    text([{ text: "a", marks: [{ link: value }, "italic"] }]),
  "style of a mark": (value) =>
    text([{ text: "a", marks: [{ style: { color: value } }] }]),
  "list item": (value) => ({
    type: "list",
    components: [{ type: "list-item", text: value }],
  }),
  "table cell": (value) => ({
    type: "table",
    columns: [{ width: "50%" }],
    components: [
      { type: "table-row", components: [{ type: "table-cell", text: value }] },
    ],
  }),
  "image source": (value) => ({ type: "image", src: `x${value}` }),
  "image source alone": (value) => ({ type: "image", src: value }),
  "image words": (value) => ({
    type: "image",
    src: "https://a.example/a.png",
    alt: value,
  }),
  "image link": (value) => ({
    type: "image",
    src: "asset:a",
    alt: "a",
    href: value,
  }),
  "button text": (value) => ({ type: "button", text: value, href: "#a" }),
  "button link": (value) => ({ type: "button", text: "a", href: value }),
  "end of a link": (value) => ({
    type: "button",
    text: "a",
    href: `https://a.example/${value}`,
  }),
  "QR code": (value) => ({ type: "qrcode", value }),
  barcode: (value) => ({ type: "barcode", value, symbology: "code128" }),
  ...Object.fromEntries(
    ["color", "background", "font-family", "border", "width"].map(styleOfText),
  ),
  "part of a style": (value) =>
    text("a", { style: { border: `1px solid ${value}` } }),
  "quoted in a style": (value) =>
    text("a", { style: { "font-family": `"${value}", serif` } }),
  "a style's function": (value) =>
    text("a", { style: { color: `rgb(${value})` } }),
};

/** Those that make HTML of a string: it may bring elements of its own, harmless ones. */
export const markupComponents: Places = {
  markdown: (value) => ({ type: "markdown", value }),
  html: (value) => ({ type: "html", value }),
  "in the html of a template": (value) => ({
    type: "html",
    value: `<p title="${value}"><a href="${value}">${value}</a></p>`,
  }),
  "in the Markdown of a template": (value) => ({
    type: "markdown",
    value: `**${value}** [a](${value}) ![b](${value})`,
  }),
};

const numbered = (value: string) => [
  {
    type: "text",
    text: [`${value} `, { pageNumber: "page" }, "/", { pageNumber: "pages" }],
  },
];

/** What belongs to the sheet and not to its content. */
export const pageParts: Places = {
  header: (value) => ({ page: { header: [text(value)] } }),
  "first header": (value) => ({
    page: { firstHeader: [{ type: "image", src: "asset:a", alt: value }] },
  }),
  "footer with numbers": (value) => ({ page: { footer: numbered(value) } }),
  "format of a number": (value) => ({
    page: { firstFooter: [{ type: "page-number", format: value }] },
  }),
  "watermark text": (value) => ({ page: { watermark: { text: value } } }),
  "watermark image": (value) => ({ page: { watermark: { image: value } } }),
  background: (value) => ({ page: { background: { image: value } } }),
  "file name": (value) => ({ fileName: value }),
  "named style": (value) => ({
    styles: { a: { color: value, "font-family": `"${value}"` } },
    components: [text("a", { class: "a" })],
  }),
  "style of a number": (value) => ({
    page: {
      footer: [{ type: "page-number", style: { "font-family": value } }],
    },
  }),
  overlay: (value) => ({
    page: {
      header: [{ type: "heading", text: [value, { pageNumber: "page" }] }],
    },
  }),
};

/** All of the places at once, each with the value in it. */
export function fillPlaces(places: Places, value: string): object[] {
  return Object.values(places).map((place) => place(value));
}

/** Components of emails, beside those that documents have as well. */
export const emailComponents: Places = {
  ...plainComponents,
  "text of a section": (value) => section([{ type: "text", text: value }]),
  "link in a section": (value) =>
    section([{ type: "button", text: value, href: value }]),
  "image in a section": (value) =>
    section([{ type: "image", src: value, alt: value, href: value }]),
  hero: (value) => ({
    type: "hero",
    background: value,
    components: [{ type: "text", text: value }],
  }),
  "social link": (value) => ({
    type: "social",
    items: [{ network: "x", href: value }],
  }),
  preheader: (value) => ({ type: "preheader", text: value }),
  "style in a section": (value) =>
    section([{ type: "text", text: "a", style: { padding: value } }]),
};

export const emailParts: Places = {
  subject: (value) => ({ email: { subject: value } }),
  preheader: (value) => ({ email: { subject: "a", preheader: value } }),
  "named style": (value) => ({
    styles: { a: { color: value, "background-color": value } },
    components: [{ type: "text", text: "a", class: "a" }],
  }),
};

function section(components: readonly object[]): object {
  return { type: "section", components: [{ type: "column", components }] };
}

/** Its columns depend on the record, so that its MJML is read again for each one, with the data in it. */
export function withVariableColumns(components: readonly object[]): object[] {
  const collection = { collectionId: "part", path: "root.parts" };
  return [
    {
      type: "section",
      components: [{ type: "column", collection, components }],
    },
  ];
}

const html = (source: string, css?: string) => ({
  type: "markup",
  html: source,
  ...(css !== undefined && { css }),
});

/** HTML templates with the value in each kind of place where an expression may stand. */
export const templatePlaces: Places = {
  "text of markup": (value) => html(`<p>a ${value} b</p>`),
  "text of a table": (value) =>
    html(
      `<table><tr data-if="root.x"><td title="${value}">${value}</td></tr></table>`,
    ),
  "text attributes": (value) =>
    html(`<p class="from-data ${value}" id="${value}" title='${value}'>a</p>`),
  "unquoted attribute": (value) => html(`<p title=${value} lang=en>a</p>`),
  "aria and data attributes": (value) =>
    html(`<p aria-label="${value}" data-state="${value}">a</p>`),
  link: (value) => html(`<a href="${value}" target="${value}">${value}</a>`),
  "part of a link": (value) =>
    html(`<a href="https://a.example/${value}?b=${value}">a</a>`),
  "scheme of a link": (value) => html(`<a href="${value}:b">a</a>`),
  "image of markup": (value) => html(`<img src="${value}" alt="${value}">`),
  "image with a prefix": (value) => html(`<img src="https:${value}" alt="a">`),
  "style attribute": (value) =>
    html(
      `<p style="color: ${value}; font-weight: bold; width: ${value}%">a</p>`,
    ),
  "quoted in a style attribute": (value) =>
    html(`<p style="font-family: '${value}', serif">a</p>`),
  "custom property": (value) =>
    html(
      `<p class="a" style="--a: ${value}">a</p>`,
      ".a { color: var(--a); width: var(--a) }",
    ),
  "SVG text": (value) =>
    html(
      `<svg viewBox="0 0 9 9"><title>${value}</title><text x="${value}" fill="${value}">${value}</text></svg>`,
    ),
  "SVG link": (value) =>
    html(
      `<svg><a href="${value}"><rect width="9" stroke="${value}" transform="rotate(${value})"/></a><image href="${value}" width="9"/></svg>`,
    ),
};

/** Running headers and footers in markup. */
export const templateParts: Places = {
  "header of markup": (value) => ({
    components: [
      html(
        `<header data-page><p title="${value}" style="color:${value}">${value}</p></header><footer data-page><b>${value}</b> <i data-page-number></i></footer><p>a</p>`,
        "p { margin: 0 }",
      ),
    ],
  }),
  "header art of markup": (value) => ({
    components: [
      html(
        `<header data-page><a href="${value}">${value}</a><img src="${value}" alt="${value}"></header><p>a</p>`,
      ),
    ],
  }),
};

const mjml = (source: string) => ({ type: "markup", mjml: source });

/** MJML with the value in each kind of place. */
export const mjmlPlaces: Places = {
  "text of MJML": (value) =>
    mjml(
      `<mj-section background-url="${value}"><mj-column><mj-text><p style="color:${value}" title="${value}">${value}</p></mj-text></mj-column></mj-section>`,
    ),
  "link of MJML": (value) =>
    mjml(
      `<mj-section data-if="root.x"><mj-column><mj-button href="${value}">${value}</mj-button><mj-image src="${value}" alt="${value}" href="${value}" title="${value}" /></mj-column></mj-section>`,
    ),
  "MJML in a column": (value) => ({
    type: "section",
    components: [
      {
        type: "column",
        components: [mjml(`<mj-text>${value}</mj-text>`)],
      },
    ],
  }),
  "columns of MJML": (value) =>
    mjml(
      `<mj-section><mj-column data-each="part in root.parts"><mj-text>${value}</mj-text></mj-column></mj-section>`,
    ),
};
