import { expect } from "chai";
import {
  decodeDataUrl,
  type FontFace,
  getDrawing,
  inlineAssets,
  inlineFonts,
  findFontFamilies,
  linkAssets,
  linkVideos,
  nameFontFamilies,
  placeholder,
} from "../../core/compiler/index.js";

const token = (digit: string) => `platen-asset-${digit.repeat(32)}`;
const pixel = "data:image/png;base64,iVBORw0KGgo=";

const assets = [
  { token: token("a"), source: "asset:logo", alt: "Logo" },
  { token: token("b"), source: "https://x.example/b.png?c=1&d=2", alt: "B" },
  { token: token("c"), source: "data:image/svg+xml,%3Csvg/%3E", alt: "C" },
  { token: token("d"), source: "asset:missing", alt: "A & B" },
];
const html = `<img src="${token("a")}"><img src="${token("b")}"><img src="${token("c")}"><img src="${token("d")}"><i>${token("e")}</i>${token("a")}`;
const svg = "data:image/svg+xml;base64,PHN2Zy8+";
const resolved = new Map([
  [token("a"), pixel],
  [token("d"), null],
]);

const draw = (attributes: string) =>
  `data:image/svg+xml;base64,${Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}/>`).toString("base64")}`;
const write = (address: string, value: string) =>
  `<img src="${address}" alt="" style="margin:0;width:${value};max-width:100%"/>`;

describe("the images of a merged document", () => {
  it("are inserted for their tokens, and a placeholder with its text for one that is missing", () => {
    expect(inlineAssets({ html, assets }, resolved)).to.equal(
      `<img src="${pixel}"><img src="${placeholder("B")}"><img src="${svg}"><img src="${placeholder("A & B")}"><i>${token("e")}</i>${pixel}`,
    );
    expect(inlineAssets({ html, assets: [] }, resolved)).to.equal(html);
  });

  it("of an email keep their address on the web, or have that of their file", () => {
    const addresses = new Map([[token("a"), "https://files.example/?a=1&b=2"]]);
    const linked = linkAssets({ html, assets }, resolved, addresses);
    expect(linked).to.equal(
      `<img src="https://files.example/?a=1&amp;b=2"><img src="https://x.example/b.png?c=1&amp;d=2"><img src="${svg}"><img src="${placeholder("A & B")}"><i>${token("e")}</i>https://files.example/?a=1&amp;b=2`,
    );
  });

  for (const [what, source, width] of [
    ["of pixels", pixel, "auto"],
    ["on another server", "https://x.example/b.svg", "auto"],
    ["of 40", draw('width="40" height="9"'), "40px"],
    ["of 1 in", draw('width="1in"'), "96px"],
    ["of no width", draw('viewBox="0 0 9 9"'), "100%"],
    ["of a share", draw('width="50%"'), "100%"],
    ["that is missing", "asset:missing", "240px"],
  ] as const)
    it(`of an email have their own width, also when a PNG is drawn of them: ${what}`, () => {
      const email = {
        html: write(token("a"), "auto") + write(token("a"), "9px"),
        assets: [{ token: token("a"), source, alt: "" }],
      };
      const dataUrl = source.startsWith("data:") ? source : null;
      const addresses = new Map([[token("a"), "https://files.example/a.png"]]);
      expect(
        linkAssets(email, new Map([[token("a"), dataUrl]]), addresses),
      ).to.equal(
        write("https://files.example/a.png", width) +
          write("https://files.example/a.png", "9px"),
      );
    });

  it("that are drawings of ours have their size and their SVG", () => {
    const drawing = { widthPx: 3, heightPx: 4 };
    const reference = { token: "", source: svg, alt: "" };
    expect(getDrawing({ ...reference, drawing })).to.deep.equal({
      ...drawing,
      svg: "<svg/>",
    });
    expect(getDrawing(reference)).to.equal(null);
  });

  const urls: [string, string][] = [
    ["data:text/plain;base64,w6k=", "é"],
    ["data:text/plain ; base64 ,w6k=", "é"],
    ["data:text/plain;BASE64,w6k%3D", "é"],
    ["data:,%C3%A9é%zz", "éé%zz"],
    ["data:text/plain;base64x,YQ==", "YQ=="],
    ["data:", "data:"],
  ];
  for (const [url, text] of urls)
    it(`are decoded from ${url}`, () => {
      expect(decodeDataUrl(url).toString()).to.equal(text);
    });
});

describe("the posters of videos", () => {
  const videos = new Map([[token("a"), "https://v.example/?a=1&b=2"]]);
  const href = "https://v.example/?a=1&amp;b=2";
  const poster = `<img alt="x" src="${token("a")}"/>`;
  const cases: [string, string][] = [
    [poster, `<a href="${href}">${poster}</a>`],
    [`<a href="x">${poster}</a>`, `<a href="x">${poster}</a>`],
    [`<img src="${token("b")}"/>`, `<img src="${token("b")}"/>`],
    [
      `<mj-image src="${token("a")}"/>`,
      `<mj-image href="${href}" src="${token("a")}"/>`,
    ],
    [
      `<mj-image src="${token("a")}" href="x"/>`,
      `<mj-image src="${token("a")}" href="x"/>`,
    ],
    [`<mj-image src="${token("b")}"/>`, `<mj-image src="${token("b")}"/>`],
  ];
  for (const [written, linked] of cases)
    it(`are links unless they are already: ${written}`, () => {
      expect(linkVideos(written, videos)).to.equal(linked);
      expect(linkVideos(written, new Map())).to.equal(written);
    });
});

const header = (style: string) =>
  `url("data:image/svg+xml;charset=utf-8,%3Csvg%3E%3Cstyle%3E${style}%3C/style%3E%3C/svg%3E")`;

const face = (family: string): FontFace => ({
  family,
  weight: "400",
  style: "normal",
  dataUrl: "data:font/woff2;base64,AA",
});
const rule = (name: string) =>
  `@font-face{font-family:"${name}";font-weight:400;font-style:normal;src:url("data:font/woff2;base64,AA")}`;
const page = (style: string) => `<head><style>${style}</style></head><p>`;

const all = (...families: string[]) =>
  [...families, "Noto Sans", "Emoji"].map((name) => `'${name}'`).join(",");

describe("the fonts of a document", () => {
  it("are embedded in the page, and in the images of the headers that use them", () => {
    const sheet = `:root{--top:${header("p{font-family:Brand Sans}")};--bottom:${header("")}}@font-face{src:url("asset:f1")}`;
    const inHeader = rule("brand sans").replaceAll('"', "&quot;");
    expect(
      inlineFonts(page(sheet), [face("brand sans"), face("asset:f1")]),
    ).to.equal(
      page(
        `:root{--top:${header(`${inHeader}p{font-family:Brand Sans}`)};--bottom:${header("")}}@font-face{src:url("data:font/woff2;base64,AA")}`,
      ).replace(
        "</head>",
        `<style>${rule("brand sans")}\n${rule("asset:f1")}</style>\n</head>`,
      ),
    );
    expect(inlineFonts(page(sheet), [])).to.equal(page(sheet));
  });

  it("are found by their names in any case", () => {
    const families = findFontFamilies('<p style="font:9pt BRAND sans">', [
      "Brand Sans",
      "Other",
    ]);
    expect([...families]).to.deep.equal(["Brand Sans"]);
  });

  const names = {
    families: new Map([
      ["arial", "Arimo"],
      ["inter", "Inter"],
      ["sans-serif", "Noto Sans"],
    ]),
    fallbacks: ["Noto Sans", "Emoji"],
  };
  const lists: [string, string][] = [
    ["Arial, Unknown, sans-serif", all("Arimo")],
    ['"Inter",  ARIAL', all("Inter", "Arimo")],
    ["inherit", "inherit"],
    ["", ""],
    ["Inter !important", `${all("Inter")} !important`],
  ];
  const places = [
    (list: string) => `<style>p{font :${list}}</style>`,
    (list: string) => `<p style="font:${list.replaceAll('"', "&quot;")}">`,
    (list: string) => `<style>p{font-family:${list}}</style>`,
    (list: string) =>
      `<p style="color:red;font-family:${list.replaceAll('"', "&quot;")};margin:0">`,
    (list: string) => `<text font-family="${list.replaceAll('"', "&quot;")}">`,
  ];
  for (const [list, named] of lists)
    it(`are named as they were printed: ${list}`, () => {
      for (const place of places)
        expect(nameFontFamilies(place(list), names).html).to.equal(
          place(named),
        );
    });

  it("are named in shorthands and headers, and stay in font files", () => {
    const written = `<style>p{font:italic 400 9pt/1.2 Arial,x}@font-face{font-family:Arial}i{background:url("font:Arial")}:root{--top:${header("p{font-family:Arial}")}}</style>`;
    const { html: named, named: found } = nameFontFamilies(written, names);
    expect(named).to.equal(
      `<style>p{font:italic 400 9pt/1.2 ${all("Arimo")}}@font-face{font-family:Arial}i{background:url("font:Arial")}:root{--top:${header(`p{font-family:${all("Arimo")}}`)}}</style>`,
    );
    expect([...found]).to.deep.equal(["Arimo"]);
  });
});
