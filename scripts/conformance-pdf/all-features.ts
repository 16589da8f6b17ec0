import sharp from "sharp";

/** A template with every component, many scripts, and what is hard for a PDF: transparency, images, deep structures. */
export async function createAllFeatures() {
  const [opaque, transparent, photo] = await Promise.all([
    createPicture(1, "png"),
    createPicture(0.4, "png"),
    createPicture(1, "jpeg"),
  ]);
  return {
    locale: "en-GB",
    schema: [
      {
        id: "root",
        fields: [
          { name: "name", type: "String" },
          { name: "rows", type: "OneToManyLink", target: "rows" },
        ],
      },
      {
        id: "rows",
        fields: [
          { name: "label", type: "String" },
          { name: "value", type: "Number" },
        ],
      },
    ],
    sample: {
      name: "Ada & <Söhne>",
      rows: [
        { label: "North", value: 3 },
        { label: "South", value: 5 },
        { label: "West", value: 8 },
      ],
    },
    fileName: "All features (1)",
    pdf: {
      author: "Ada Lovelace",
      subject: "Everything & more",
      keywords: ["one", "<two>"],
    },
    page: {
      header: [{ type: "text", text: "Header" }],
      footer: [{ type: "page-number", format: "Page {page} of {pages}" }],
      firstHeader: [image(transparent, "Letterhead")],
      background: { color: "#fffdf5", image: photo },
      watermark: { text: "Draft", opacity: 0.15 },
    },
    components: [
      { type: "heading", level: 3, text: "Begins with level 3" },
      { type: "heading", level: 6, text: "And goes to level 6" },
      { type: "heading", level: 1, text: "Scripts" },
      ...SCRIPTS.map((text) => ({ type: "text", text })),
      { type: "heading", level: 2, text: "Transparency" },
      {
        type: "container",
        style: { opacity: "0.5" },
        components: [
          { type: "text", text: "Half transparent text" },
          image(opaque, "An opaque picture"),
        ],
      },
      {
        type: "container",
        style: {
          background: "linear-gradient(90deg,#f00,rgba(0,0,255,.2))",
          "box-shadow": "0 2px 8px rgba(0,0,0,.4)",
          "border-radius": "6px",
          padding: "8px",
        },
        components: [{ type: "text", text: "On a gradient with a shadow" }],
      },
      image(transparent, "A transparent picture"),
      image(photo, "A photo", { href: "https://example.com/photo" }),
      image(opaque, undefined),
      image(opaque, ""),
      { type: "heading", level: 2, text: "Links and lists" },
      {
        type: "markdown",
        value:
          "See [the page](https://example.com/a?b=1&c=2) or write to [us](mailto:ada@example.com).\n\n# Title\n\n#### Skipped\n\n- one\n- two\n  1. deep\n  2. deeper\n\n> A quotation with `code`\n\n```\nblock\n```\n\n| A | B |\n|---|---|\n| 1 | 2 |\n",
      },
      {
        type: "html",
        value:
          '<figure><img src="' +
          opaque +
          '" alt="In a figure"><figcaption>Caption</figcaption></figure><dl><dt>Term</dt><dd>Meaning</dd></dl><p>H<sub>2</sub>O <mark>marked</mark> <del>gone</del> <abbr title="x">abbr</abbr></p><details open><summary>Sum</summary>More</details><ruby>漢<rt>kan</rt></ruby>',
      },
      {
        type: "list",
        ordered: true,
        components: [
          {
            type: "list-item",
            text: "Item with a list",
            components: [
              {
                type: "list",
                components: [
                  { type: "list-item", text: "Inner" },
                  {
                    type: "list-item",
                    components: [image(opaque, "In a list")],
                  },
                ],
              },
            ],
          },
          {
            type: "list-item",
            text: "With a border",
            style: { border: "1px solid #f00", background: "#eee" },
          },
          { type: "list-item", text: "" },
        ],
      },
      { type: "button", href: "https://example.com/pay", text: "Pay" },
      { type: "divider" },
      { type: "spacer", height: "5mm" },
      { type: "heading", level: 2, text: "Tables" },
      {
        type: "table",
        columns: [{ width: "50%" }, { align: "right" }, {}],
        components: [
          {
            type: "table-row",
            header: true,
            components: [
              { type: "table-cell", text: "Label", colspan: 2 },
              { type: "table-cell", text: "Value" },
            ],
          },
          {
            type: "table-row",
            collection: { collectionId: "row", path: "root.rows" },
            components: [
              { type: "table-cell", text: "{{ row.label }}" },
              { type: "table-cell", text: "{{ row.value }}" },
              { type: "table-cell", text: "" },
            ],
          },
          {
            type: "table-row",
            components: [
              { type: "table-cell", text: "Two rows", rowspan: 2 },
              { type: "table-cell", text: "b" },
            ],
          },
          {
            type: "table-row",
            components: [{ type: "table-cell", text: "c" }],
          },
          {
            type: "table-row",
            components: [
              {
                type: "table-cell",
                colspan: 3,
                components: [
                  {
                    type: "table",
                    components: [
                      {
                        type: "table-row",
                        components: [
                          { type: "table-cell", text: "A table in a table" },
                        ],
                      },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      },
      { type: "page-break" },
      { type: "heading", level: 2, text: "Drawings" },
      { type: "qrcode", value: "https://example.com" },
      {
        type: "barcode",
        symbology: "code128",
        value: "ABC-123",
        showText: true,
      },
      ...["bar", "line", "pie", "doughnut"].map((chart) => ({
        type: "chart",
        chart,
        data: "root.rows",
        label: "label",
        series: [{ field: "value", label: "Value" }],
        height: "40mm",
      })),
      {
        type: "columns",
        components: [
          {
            type: "column",
            components: [{ type: "text", text: "Left" }],
          },
          {
            type: "column",
            style: { transform: "rotate(5deg)" },
            components: [{ type: "text", text: "Right" }],
          },
        ],
      },
      {
        type: "sign-field",
        field: "signature",
        name: "Signature",
        submitter: "Customer",
      },
    ],
  };
}

function image(src: string, alt: string | undefined, more: object = {}) {
  const text = alt === undefined ? {} : { alt };
  return { type: "image", src, width: "30mm", ...text, ...more };
}

const SCRIPTS = [
  "Latin: office ﬁnance, Ångström, naïve – “quoted” … €1,234.50 ½ ² ™",
  "Greek and Cyrillic: Ελληνικά, Русский, Українська",
  "Arabic: مرحبا بالعالم 123",
  "Hebrew: שלום עולם",
  "Devanagari: नमस्ते दुनिया क्ष त्र",
  "Thai: สวัสดีชาวโลก",
  "Chinese: 你好，世界",
  "Japanese: こんにちは世界",
  "Korean: 안녕하세요 세계",
  "Emoji: 😀 👩‍👩‍👧 🇩🇪 ❤️ ✔",
  "Invisible: soft\u00adhyphen, zero\u200bwidth, no\u00a0break, bidi\u2067mark\u2069",
];

async function createPicture(
  alpha: number,
  format: "png" | "jpeg",
): Promise<string> {
  const drawing = sharp({
    create: {
      width: 60,
      height: 40,
      channels: 4,
      background: { r: 200, g: 220, b: 240, alpha },
    },
  });
  const bytes = await drawing.toFormat(format).toBuffer();
  return `data:image/${format};base64,${bytes.toString("base64")}`;
}
