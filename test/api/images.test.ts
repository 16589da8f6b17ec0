import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { describe, it } from "mocha";
import sharp from "sharp";
import { assetSchema } from "../../core/assets/index.js";
import { Outbound } from "../../core/lib/outbound/index.js";
import { download, useApi } from "../support/api.js";
import { base64 } from "../support/assets.js";
import { refusal } from "../support/caller.js";
import {
  fetchingFromLoopback,
  ImageGallery,
  parseImage,
  plain,
  useGallery,
  useImageServer,
} from "../support/image-gallery.js";
import { useService } from "../support/service.js";

const png = await plain("teal").png().toBuffer();
const pixels = Buffer.from(
  Array.from({ length: 90 * 70 * 3 }, (_, at) => (at * 7919) % 251),
);
const noise = () =>
  sharp(pixels, { raw: { width: 90, height: 70, channels: 3 } });
const svg = (inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">${inside}</svg>`;

/** Whole images. */
const images: Record<string, Buffer> = {
  "image/png": await noise().png().toBuffer(),
  "image/jpeg": await noise().jpeg().toBuffer(),
  "image/jpeg?progressive": await noise()
    .withExif({ IFD0: { Artist: "Ada" } })
    .jpeg({ progressive: true })
    .toBuffer(),
  "image/gif": await noise().gif().toBuffer(),
  "image/webp": await noise().webp().toBuffer(),
  "image/avif": await noise().avif().toBuffer(),
  "image/svg+xml": Buffer.from(svg('<rect width="9" height="9"/>')),
};
const blue = await plain("#0000ff", 40).png().toBuffer();
const lime = await plain("#00ff00", 40).png().toBuffer();
/** Nothing that could be compressed: more than 8 MB. */
const photo = await sharp({
  create: {
    width: 1700,
    height: 1700,
    channels: 3,
    background: "#fff",
    noise: { type: "gaussian", mean: 128, sigma: 60 },
  },
})
  .png()
  .toBuffer();
const tiff = await plain("teal").tiff().toBuffer();
const big = await plain("teal", 70)
  .toColourspace("srgb")
  .png({ compressionLevel: 0 })
  .toBuffer();
const toDataUrl = (bytes: Uint8Array, type = "image/png") =>
  `data:${type};base64,${base64(bytes)}`;
const bomb = toDataUrl(await plain("teal", 400).png().toBuffer());
const svgUrl = (text: string) => toDataUrl(Buffer.from(text), "image/svg+xml");

const imageFrom = (src: string, more = {}) => ({ type: "image", src, ...more });

/** An image of one green in CMYK, without a profile. */
const cmyk = (side: number) =>
  plain("#00a050", side)
    .toColourspace("cmyk")
    .withIccProfile("cmyk", { attach: false })
    .jpeg({ quality: 100 })
    .toBuffer();
const doctype = (entities: string) => `<!DOCTYPE svg [${entities}]>`;
const laughs = "abcdefghi"
  .split("")
  .map(
    (name, at, all) =>
      `<!ENTITY ${name} "${`&${all[at + 1] ?? "lol"};`.repeat(10)}">`,
  )
  .join("");
const square = '<rect class="a" width="40" height="40"/>';
const inStyle = (css: string) => svg(`<style>${css}</style>${square}`);

const encoded = (encoding: string, label = encoding) => {
  const text = `<?xml version="1.0" encoding="${label}"?>${svg("<text>Größe</text>")}`;
  return encoding === "utf16le"
    ? Buffer.from(`\ufeff${text}`, "utf16le")
    : Buffer.from(text, encoding === "latin1" ? "latin1" : "utf8");
};

describe("an svg", () => {
  const api = useApi();
  const gallery = useGallery(api.service);

  for (const [name, bytes, text] of [
    ["Latin 1", encoded("latin1", "ISO-8859-1"), "Größe"],
    ["UTF-16", encoded("utf16le", "UTF-16"), "Größe"],
    ["UTF-16 in its declaration only", encoded("utf8", "utf-16"), "Größe"],
    [
      "UTF-8 with a mark",
      Buffer.from(`\ufeff${svg("<text>Größe</text>")}`),
      "Größe",
    ],
    [
      "an entity of its own",
      doctype('<!ENTITY n "Gr&#246;&e;"><!ENTITY e "ße">') +
        svg("<text>&n;</text>"),
      "Größe",
    ],
    [
      "an entity of markup",
      doctype("<!ENTITY s '<text>Größe</text>'>") + svg("&s;"),
      "<text>Größe</text>",
    ],
    [
      "a prefix",
      svg("<text>Größe</text>")
        .replace("xmlns", "xmlns:s")
        .replace(/(<\/?)(?=svg|text)/g, "$1s:"),
      "<text>Größe</text>",
    ],
    [
      "colors in the place of elements that it does not have",
      svg('<path d="M0 0h9v9" fill="url(#no) green" stroke="url() red"/>'),
      'fill="url(#no) green" stroke="url() red"',
    ],
    [
      "a color that hides a missing one",
      svg(
        '<style>g .b{fill:red}</style><g fill="url(#no)"><path class="b" d="M0 0h9v9"/></g>',
      ),
      '<g fill="url(#no)">',
    ],
    [
      "a missing element in a hidden part",
      svg(`${square}<g display="none"><use href="#no"/></g>`),
      '<use href="#no">',
    ],
    [
      "an escaped name",
      svg(
        '<linearGradient id="é"><stop/></linearGradient><path d="M0 0h9v9" fill="url(#%C3%A9)"/>',
      ),
      'fill="url(#%C3%A9)"',
    ],
    ...[
      ["a name with a space", "a b", "url('#a b')"],
      ["a name with parentheses", "a(1)", "url('#a(1)')"],
      [
        "a name with escaped parentheses",
        "a(1)",
        'url("#a(1)")',
        "url(#a\\(1\\))",
      ],
      ["a name with one parenthesis", "a)b", 'url("#a)b")'],
      [
        "a name with a quotation mark",
        'a"b',
        String.raw`url("#a\22 b")`,
        String.raw`url(#a\"b)`,
      ],
    ].map(
      ([label = "", id = "", paint = "", written = paint]) =>
        [
          label,
          svg(
            `<linearGradient id='${id}'><stop/></linearGradient><path d="M0 0h9v9" fill="${written.replaceAll('"', "&quot;")}"/>`,
          ),
          paint.replaceAll('"', "&quot;"),
        ] as const,
    ),
    [
      "a used name with a space",
      svg(
        '<defs><path id="Ebene 1" d="M0 0h9v9"/></defs><use href="#Ebene 1"/>',
      ),
      '<use href="#Ebene 1">',
    ],
    [
      "animations of what it does not have, and of what a reader does",
      svg(
        `<style>.slow{animation:dash 1s}.no .a{animation:x 1s}rect:hover,.b{animation:x 1s}</style><rect class="a" width="9" height="9"><set begin="click" attributeName="x"/><animate begin="a.mouseover+1s;indefinite" attributeName="x"/></rect>`,
      ),
      ".slow{}",
    ],
    [
      "missing colors of what is not seen",
      svg(
        `${square}<path d="M0 0h9" stroke="url(#n)" stroke-width="0"/><line x2="9" stroke="#000" fill="url(#n)"/><g opacity="0"><path fill="url(#n)"/></g><path style="fill:url(#n);fill-opacity:0.0"/><path fill="url(#n) none"/>`,
      ),
      "<line",
    ],
    [
      "a cursor",
      svg(
        `<style>.a{cursor:url(x.cur),auto}</style><g cursor="url(x.cur), pointer">${square}</g>`,
      ),
      "<g>",
    ],
    [
      "a hidden image of another server",
      svg(
        `${square}<g display="none"><image id="i" href="https://a.example/b.png"/></g>`,
      ),
      "<image",
    ],
    [
      "names of namespaces",
      inStyle(
        '@namespace "http://www.w3.org/2000/svg";@namespace x url(https://a.example/x);.a{fill:#c00}',
      ),
      '<style>@namespace "http://www.w3.org/2000/svg";@namespace x "#";.a{fill:#c00}</style>',
    ],
    [
      "a rule that no browser but Firefox reads",
      inStyle(
        "@-moz-document url(https://a.example){.a{fill:red}}.a{fill:#c00}",
      ),
      "<style>.a{fill:#c00}</style>",
    ],
  ] as const)
    it(`is read with ${name}`, async () => {
      const source = toDataUrl(Buffer.from(bytes), "image/svg+xml");
      const { shown, failed, changed } = await gallery.now.show(source);
      expect([failed, changed]).to.eql([[], []]);
      expect(parseImage(shown[0]).bytes.toString()).to.contain(text);
    });

  for (const [name, bytes, reason] of [
    [
      "that is not UTF-8",
      Buffer.from(svg("<text>Größe</text>"), "latin1"),
      /^The SVG is not UTF-8: the byte 0xF6 at position 71 /,
    ],
    [
      "that is not what it says",
      Buffer.from(encoded("latin1", "utf-8")),
      /not UTF-8: the byte 0xF6/,
    ],
    [
      "that is not Shift_JIS",
      Buffer.from(
        `<?xml version="1.0" encoding="Shift_JIS"?>${svg("<text>\xff</text>")}`,
        "latin1",
      ),
      /^The SVG is not Shift_JIS, .* 0xFF at position \d+ /,
    ],
    [
      "in an unknown encoding",
      encoded("utf8", "klingon"),
      /"klingon", which is unknown/,
    ],
    [
      "with an entity of another file",
      doctype('<!ENTITY o SYSTEM "file:///etc/passwd">') +
        svg("<text>&o;</text>"),
      /takes &o; from another file/,
    ],
    [
      "with an entity that it does not declare",
      svg("<text>a&nbsp;b</text>"),
      /uses &nbsp;, which it does not declare/,
    ],
    [
      "with entities of other entities",
      doctype(`<!ENTITY % p SYSTEM "a.dtd">%p;`) + svg("<text>&a;</text>"),
      /uses %p;, which is not supported/,
    ],
    [
      "with entities without end",
      doctype(`<!ENTITY lol "lol">${laughs}`) + svg("<text>&a;</text>"),
      /more than 2097152 characters/,
    ],
    [
      "with an entity that contains itself",
      doctype('<!ENTITY a "&b;"><!ENTITY b "&a;">') + svg("<text>&a;</text>"),
      /contains itself/,
    ],
    [
      "whose tags do not match",
      svg("<g></rect>"),
      /is damaged, in line 1: unexpected close tag/,
    ],
    [
      "of another namespace",
      svg("").replace("2000/svg", "2000/svg/"),
      /not svg of the namespace/,
    ],
  ] as const)
    it(`is not drawn ${name}`, async () => {
      const source = toDataUrl(Buffer.from(bytes), "image/svg+xml");
      const { failed } = await gallery.now.show(source);
      expect(failed).to.have.length(1);
      expect(failed[0]?.reason).to.match(reason);
    });

  for (const [name, drawing, text, ...reasons] of [
    [
      "@import",
      inStyle('@import url("https://a.example/b.css"); .a{fill:#c00}'),
      ".a{fill:#c00}",
      /^The @import of a style sheet was left out: "https:\/\/a.example\/b.css" is outside/,
    ],
    [
      "@import behind the end of a comment",
      inStyle('-->@import "https://a.example/b.css"; .a{fill:#c00}'),
      ".a{fill:#c00}",
      /^The @import of a style sheet was left out/,
    ],
    [
      "an address that ends early",
      inStyle(
        String.raw`.a{fill:#c00;mask:url("data:image/png\22);}.a{stroke:url(//a.example/b);x:y,AAAA")}`,
      ),
      ".a{fill:#c00;}",
      /^The declaration mask was left out/,
    ],
    [
      "a font whose address ends early",
      inStyle(
        String.raw`@font-face{font-family:L;src:local(L),url("data:font/a\22);}b{mask:url(//a.example/b)}c{x:y;base64,AA")} .a{fill:#c00}`,
      ),
      "src:local(L)",
      /^The font was left out/,
    ],
    [
      "@font-face",
      inStyle(
        "@font-face{font-family:L;src:local(L),url(https://a.example/l.woff2)} .a{fill:#c00}",
      ),
      "@font-face{font-family:L;src:local(L)} .a{fill:#c00}",
      /^The font was left out/,
    ],
    [
      "a declaration",
      inStyle(
        "@media print{.a{fill:#c00;background:url('//a.example/b.png');stroke:red}}",
      ),
      ".a{fill:#c00;stroke:red}",
      /^The declaration background was left out/,
    ],
    [
      "a paint",
      svg('<path d="M0 0" fill="url(https://a.example/b#c) red"/>'),
      'fill="url(#) red"',
      /^The attribute fill was left out/,
    ],
    [
      "a filter",
      svg('<path d="M0 0" filter="url(a.svg#c)"/>'),
      '<path d="M0 0">',
      /^The attribute filter was left out/,
    ],
    [
      "an image",
      svg(`${square}<image href="https://a.example/b.png"/>`),
      "<image>",
      /^What <image> refers to was left out/,
    ],
    [
      "a drawing in a drawing",
      svg(`<image href="${svgUrl(svg(`<script/>${square}`))}"/>`),
      "data:image/svg+xml;base64,",
      /^A script was left out/,
    ],
    [
      "a drawing that calls itself a PNG",
      svg(
        `${square}<image href="data:image/png;base64,${base64(Buffer.from(svg('<image href="https://a.example/b.png"/>')))}"/>`,
      ),
      "<image>",
      /^What <image> refers to was left out: .* is not the data of an image that its type names/,
    ],
    [
      "an event handler",
      svg(`<g onclick="a()">${square}</g>`),
      "<g>",
      /^The event handler onclick was left out/,
    ],
    [
      "an animation",
      svg('<path d="M0 0"><animate attributeName="x"/></path>'),
      "<path",
      /^The animation <animate> was left out/,
    ],
    [
      "a used image of a hidden part",
      svg(
        `<g display="none"><image id="i" href="https://a.example/b.png"/></g>${square}<use href="#i"/>`,
      ),
      "<image",
      /^What <image> refers to was left out/,
    ],
    [
      "an animation in CSS",
      inStyle(
        "@keyframes k{from{opacity:0}}.a{fill:#c00;animation:k 1s;animation-delay:1s}.b{animation:none}",
      ),
      ".a{fill:#c00;animation-delay:1s}.b{}",
      /^A CSS animation was left out: on paper, nothing moves\.$/,
    ],
    [
      "HTML that is no text",
      svg(
        '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">hi<video/></p></foreignObject>',
      ),
      ">hi</p>",
      /^<video> was left out/,
    ],
    [
      "a style sheet of another file",
      `<?xml-stylesheet href="a.css"?>${svg(square)}`,
      "<rect",
      /^The style sheet .*"a.css"/,
    ],
    [
      "all that can be seen",
      svg('<use href="b.svg#a"/>'),
      "<use>",
      /^What <use>/,
      /^The drawing is empty/,
    ],
    [
      "what only a template has",
      svg(`<defs>${square}</defs>`),
      "<defs>",
      /^The drawing is empty/,
    ],
    [
      "what it hides",
      svg(`<g style="display: none">${square}</g>`),
      "<g",
      /^The drawing is empty/,
    ],
    [
      "an element that it does not have",
      svg(`${square}<use href="#no"/>`),
      '<use href="#no">',
      /^<use> refers to "#no", which is not in the SVG, and is not drawn\.$/,
    ],
    [
      "a line for its text that it does not have",
      svg('<text>a<textPath href="#no">b</textPath></text>'),
      '<textPath href="#no">',
      /^<textPath> refers to "#no"/,
    ],
    [
      "colors that it does not have",
      svg(
        '<style>.b{fill:url(#sheet)}</style><g fill="url(#no)"><path d="M0 0h9v9"/><path class="b" d="M0 0h9v9" style="stroke:url(#style);stroke-width:thin"/></g><text fill="url()">a</text>',
      ),
      'fill="url(#no)"',
      /^The fill of <path> refers to "#no"/,
      /^The fill of <path> refers to "#sheet"/,
      /^The stroke of <path> refers to "#style"/,
      /^The fill of <text> refers to nothing, and is not drawn\.$/,
    ],
    [
      "one of several images",
      svg(
        '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">a<img srcset="https://a.example/b.png 2x"/></p></foreignObject>',
      ),
      ">a<img>",
      /^The attribute srcset was left out/,
    ],
    [
      "its namespace",
      svg(square).replace(/ xmlns="[^"]*"/, ""),
      'xmlns="http://www.w3.org/2000/svg"',
      /has no xmlns=.* It was added/,
    ],
    [
      "that of its references",
      svg(`${square.replace("class", "id")}<use xlink:href="#a"/>`),
      'xlink:href="#a"',
      /does not declare xmlns:xlink=.* It was added/,
    ],
  ] as const)
    it(`is drawn without ${name}, which is in the report, refused by strict, and told at the upload`, async () => {
      const source = svgUrl(drawing);
      const { shown, failed, changed } = await gallery.now.show(source);
      expect(failed).to.eql([]);
      const bytes = parseImage(shown[0]).bytes.toString();
      expect(bytes).to.contain(text).and.not.contain("a.example");
      expect(changed).to.have.length(reasons.length);
      for (const [at, reason] of reasons.entries())
        expect(changed[at]?.reason).to.match(reason);
      const { caller, templateId } = gallery.now;
      const body = { templateId, data: { images: [{ src: source }] } };
      const { headers } = await api.render(body, caller);
      expect(headers.get("x-render-warnings")).to.equal(`${reasons.length}`);
      const first = changed[0]?.reason ?? "none";
      expect(await api.refused({ ...body, strict: true }, caller)).to.contain(
        first.slice(0, -1),
      );

      const upload = {
        name: `${name}.svg`,
        base64Data: base64(Buffer.from(drawing)),
      };
      const response = await caller.post("/api/assets", upload);
      const asset = assetSchema.parse(await response.json());
      const sentences = changed.map(({ reason }) => reason);
      expect(asset.details).to.eql({ changes: sentences });
      const again = await gallery.now.show(`asset:${asset.id}`);
      expect(again.changed.map(({ reason }) => reason)).to.eql(sentences);
    });
});

describe("a remote image", () => {
  const api = useApi(fetchingFromLoopback());
  const gallery = useGallery(api.service);
  const file = (control: string) => ({
    body: png,
    headers: { "cache-control": control },
  });
  const server = useImageServer({
    "/silent.png": { body: png },
    "/together.png": { body: png },
    "/private.png": { body: png },
    "/mail.png": { body: png },
    "/kept.png": file("max-age=3600"),
    "/never.png": file("no-store"),
    "/asked.png": (request, response) => {
      const isKnown = request.headers["if-none-match"] === '"1"';
      const headers = { etag: '"1"', "cache-control": "no-cache" };
      response.writeHead(isKnown ? 304 : 200, headers);
      response.end(isKnown ? undefined : png);
    },
    "/header.svg": { body: svg('<rect width="40" height="40" fill="#f00"/>') },
    "/text.png": { body: blue },
    "/paper.png": { body: lime },
    "/photo.png": { body: photo },
    ...Object.fromEntries(
      Object.entries(images).map(([type, body]) => [
        `/${type}.txt`,
        { body, headers: { "content-type": "text/plain" } },
      ]),
    ),
  });
  const countRequests = (path: string) =>
    server.requests.filter((one) => one === path).length;

  for (const [path, times] of [
    ["/silent.png", 1],
    ["/kept.png", 1],
    ["/never.png", 3],
    ["/asked.png", 3],
  ] as const)
    it(`is cached as its server specifies: ${path}`, async () => {
      for (let document = 0; document < 3; document += 1) {
        const { shown, failed } = await gallery.now.show(server.at(path));
        expect(failed).to.deep.equal([]);
        const shownImage = parseImage(shown[0]);
        expect(shownImage).to.deep.equal({ type: "image/png", bytes: png });
      }
      expect(countRequests(path)).to.equal(times);
    });

  it("is fetched once for concurrent documents and for all its occurrences, and separately for each organization", async () => {
    const url = server.at("/together.png");
    const documents = [1, 2, 3, 4].map(() => gallery.now.show(url, url));
    for (const { shown } of await Promise.all(documents))
      expect(shown).to.have.length(2);
    expect(countRequests("/together.png")).to.equal(1);
    await (await ImageGallery.open(api.service)).show(url);
    expect(countRequests("/together.png")).to.equal(2);
  });

  for (const [type, body] of Object.entries(images))
    it(`is detected as ${type} by its content, whatever its name, and incomplete without its end`, async () => {
      const [plainType = ""] = type.split("?");
      const whole = [
        server.at(`/${type}.txt`),
        toDataUrl(body, plainType),
        toDataUrl(Buffer.concat([body, Buffer.from("\n\n\n")]), plainType),
      ];
      const good = await gallery.now.show(...whole);
      expect(good.failed).to.deep.equal([]);
      expect(parseImage(good.shown[0]).type).to.equal(plainType);
      const cuts = [body.length >> 1, body.length - 20, body.length - 1].map(
        (length) => body.subarray(0, length),
      );
      const sources = cuts.map((cut) => toDataUrl(cut, plainType));
      const { shown, failed } = await gallery.now.show(...sources);
      const expected = /^The image is incomplete: its data ends early\.|SVG is/;
      expect(failed).to.have.length(3);
      for (const { reason } of failed) expect(reason).to.match(expected);
      for (const address of shown)
        expect(parseImage(address).bytes.toString()).to.contain("Picture");
      for (const cut of cuts) {
        const asset = { name: "logo", base64Data: base64(cut) };
        expect(
          await refusal(gallery.now.caller.post("/api/assets", asset)),
        ).to.match(/^400 .*(incomplete|damaged)/);
      }
    });

  for (const [name, body] of [
    ["html", Buffer.from("<!doctype html><svg></svg>")],
    ["tiff", tiff],
    ["heic", Buffer.from("\0\0\0\x18ftypmif1\0\0\0\0heicmiaf")],
    ["empty", Buffer.alloc(0)],
    ["a truncated svg", Buffer.from("<svg")],
  ] as const)
    it(`is rejected when it is ${name}`, async () => {
      const { shown, failed } = await gallery.now.show(toDataUrl(body));
      expect(failed[0]?.reason).to.match(
        /Unsupported image format|damaged|incomplete|empty/,
      );
      expect(parseImage(shown[0]).bytes.toString()).to.contain("Picture");
    });

  it("fails the render when the request requires images, or is strict", async () => {
    const { caller, templateId } = gallery.now;
    const cut = images["image/png"]?.subarray(0, 300) ?? png;
    const body = { templateId, data: { images: [{ src: toDataUrl(cut) }] } };
    for (const options of [
      { renderOptions: { failedAssets: "fail" } },
      { strict: true },
    ])
      expect(await api.refused({ ...body, ...options }, caller)).to.match(
        /^400 .*its data ends early/,
      );
  });

  it("stays remote in the html of an email and is fetched for its image", async () => {
    const src = server.at("/mail.png");
    const components = [{ type: "image", src, width: "200px" }];
    const column = { type: "column", components };
    const templateId = await api.caller.publish({
      templateType: "email",
      definition: {
        schema: [],
        email: { subject: "Hello" },
        components: [{ type: "section", components: [column] }],
      },
    });
    expect(await api.html({ templateId })).to.contain(`src="${src}"`);
    expect(countRequests("/mail.png")).to.equal(0);
    const formats = ["html", "image"];
    const { headers } = await api.render({ templateId, formats });
    expect(headers.get("x-render-warnings")).to.equal("0");
    expect(countRequests("/mail.png")).to.equal(1);
  });

  it("is drawn in the header, in the text and in the background, also with many megabytes", async () => {
    const components = [
      imageFrom(server.at("/text.png")),
      { type: "page-break" },
      imageFrom(server.at("/photo.png"), { width: "50px" }),
    ];
    const templateId = await api.caller.publish({
      definition: {
        schema: [],
        page: {
          margin: "20mm",
          header: { components: [imageFrom(server.at("/header.svg"))] },
          background: { image: server.at("/paper.png"), fit: "fill" },
        },
        components,
      },
    });
    const formats = ["image", "pdf"];
    const { result, headers } = await api.render({ templateId, formats });
    expect(headers.get("x-render-warnings")).to.equal("0");
    expect(result.pdf?.sizeBytes).to.be.above(1_000_000);
    const colors = await readColors(await download(result.image?.url));
    expect(colors).to.include.members(["f00", "00f", "0f0"]);
  });
});

/** Every color of which there is some area, in one hexadecimal digit for each part. */
async function readColors(page: Buffer): Promise<string[]> {
  const { data, info } = await sharp(page)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const colors = new Set<string>();
  for (let at = 0; at + 3 <= data.length; at += info.channels * 7)
    colors.add(
      [0, 1, 2]
        .map((part) => ((data[at + part] ?? 0) >> 4).toString(16))
        .join(""),
    );
  return [...colors];
}

describe("images of a service that may call no private network", () => {
  const api = useApi();
  const gallery = useGallery(api.service);
  const canary = useImageServer({});

  it("are not fetched from there, whatever the address is called", async () => {
    const { port } = new URL(canary.at("/"));
    const sources = [
      canary.at("/a.png"),
      `http://localhost:${port}/a.png`,
      `https://2130706433:${port}/a.png`,
      `https://[::ffff:127.0.0.1]:${port}/a.png`,
      `${api.service.url}/health`,
      "http://169.254.169.254/latest/meta-data/",
      "https://168.63.129.16/machine",
      "https://10.0.0.1/logo.png",
    ];
    const { failed, shown } = await gallery.now.show(...sources);
    expect(failed.map(({ source }) => source)).to.have.members(sources);
    for (const { reason } of failed)
      expect(reason).to.contain("PLATEN_ALLOW_PRIVATE_NETWORKS");
    expect(shown).to.have.length(sources.length);
    expect(canary.requests).to.deep.equal([]);
  });

  it("are not fetched from there when data, HTML or a style sheet of a template names them", async () => {
    const url = canary.at("/a.png");
    // Style sheets and constants name https addresses only.
    const secure = url.replace("http:", "https:");
    const variable = "--x: {{ root.url }}; background: var(--x)";
    for (const [markup, data, refused] of [
      [{ html: '<img src="{{ root.url }}" alt="a">' }, { url }, [url]],
      [{ html: `<img src="${secure}">` }, {}, [secure]],
      [
        { html: `<div style="${variable}">a</div>` },
        { url: `url(${url})` },
        [],
      ],
      [
        { html: "<p>a</p>", css: `p { background: url("${secure}") }` },
        {},
        [secure],
      ],
    ] as const) {
      const { document } = await api.render({
        definition: {
          schema: [{ id: "root", fields: [{ name: "url", type: "String" }] }],
          components: [{ type: "markup", ...markup }],
        },
        formats: ["pdf"],
        data,
      });
      const failed = failuresOf(document.metadata);
      expect(failed.map(({ source }) => source)).to.eql(refused);
      for (const { reason } of failed)
        expect(reason).to.include("PLATEN_ALLOW_PRIVATE_NETWORKS");
    }
    expect(canary.requests).to.eql([]);
  });

  it("keep the drawing of an svg without scripts and external references", async () => {
    const source = svgUrl(`<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9" onload="alert(1)">
  <style>.kept{fill:red}</style>
  <style>@import "https://evil.example/a.css";</style>
  <style>.a{fill:u\\72l(https://evil.example/b)}</style>
  <style>&lt;/style>&lt;script>alert(2)&lt;/script></style>
  <script>alert(3)</script>
  <foreignObject><body xmlns="http://www.w3.org/1999/xhtml">html</body></foreignObject>
  <linearGradient id="kept"><stop offset="0"/></linearGradient>
  <path class="kept" d="M0 0L9 9" fill="url(#kept)"/>
  <path style="fill:url(https://evil.example/c)"/>
  <use xlink:href="https://evil.example/d.svg#a"/><use href="#kept"/>
  <image href="https://evil.example/e.png"/><image href="file:///etc/passwd"/>
  <a href="javascript:alert(4)"><text>kept &amp; escaped</text></a>
  <set attributeName="href" to="https://evil.example/f"/>
</svg>`);
    const { shown, failed } = await gallery.now.show(source);
    expect(failed).to.deep.equal([]);
    const { type, bytes } = parseImage(shown[0]);
    expect(type).to.equal("image/svg+xml");
    const clean = bytes.toString();
    expect(clean).not.to.match(/alert|evil|file:|passwd/);
    for (const kept of [
      "<style>.kept{fill:red}</style>",
      '<path class="kept" d="M0 0L9 9" fill="url(#kept)">',
      '<use href="#kept">',
      "kept &amp; escaped",
    ])
      expect(clean).to.contain(kept);
  });

  it("are rejected as an svg of too many elements, or of elements that are nested too deeply", async () => {
    const wide = svgUrl(svg("<g/>".repeat(20_001)));
    const deep = svgUrl(svg("<g>".repeat(19_000)));
    const { failed } = await gallery.now.show(wide, deep);
    expect(failed.map(({ reason }) => reason)).to.deep.equal([
      "The SVG has more than 20000 elements. Use a PNG instead.",
      "The SVG has elements inside of each other, more than 200 deep. Use a PNG instead.",
    ]);
  });

  it("have one color in CMYK, whatever their size and wherever they stand", async () => {
    const [small, large] = [
      toDataUrl(await cmyk(40), "image/jpeg"),
      toDataUrl(await cmyk(4100), "image/jpeg"),
    ];
    const { shown, failed } = await gallery.now.show(
      small,
      large,
      svgUrl(svg(`<image href="${small}"/>`)),
    );
    expect(failed).to.eql([]);
    const [, , drawing] = shown.map((address) => parseImage(address).bytes);
    const [, inside = ""] = /href="([^"]*)"/.exec(String(drawing)) ?? [];
    const colors = await Promise.all(
      [...shown.slice(0, 2), inside].map(async (address) => {
        const { bytes } = parseImage(address);
        const { format, space } = await sharp(bytes).metadata();
        const pixel = await sharp(bytes).resize(1, 1).raw().toBuffer();
        return { format, space, pixel: [...pixel] };
      }),
    );
    // Ink is darker than light: 160 on a screen.
    expect(colors[0]?.pixel[1]).to.be.closeTo(141, 6);
    for (const color of colors) expect(color).to.eql(colors[0]);
  });

  it("are turned as their camera says in WebP, which the browser does not do", async () => {
    const webp = await plain("teal", 60, 30)
      .withMetadata({ orientation: 6 })
      .webp()
      .toBuffer();
    const { shown } = await gallery.now.show(toDataUrl(webp, "image/webp"));
    const { width, height, orientation } = await sharp(
      parseImage(shown[0]).bytes,
    ).metadata();
    expect([width, height, orientation]).to.eql([30, 60, undefined]);
  });

  it("are scaled down in proportion when they have more pixels than print can show", async () => {
    const wide = await plain("teal", 6000, 4000).png().toBuffer();
    const { shown } = await gallery.now.show(toDataUrl(wide));
    const size = { width: 4899, height: 3266, format: "png" };
    const { bytes } = parseImage(shown[0]);
    expect(await sharp(bytes).metadata()).to.include(size);
    const turned = await plain("teal", 6000, 4000)
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { shown: upright } = await gallery.now.show(
      toDataUrl(turned, "image/jpeg"),
    );
    expect(await sharp(parseImage(upright[0]).bytes).metadata()).to.include({
      width: 3266,
      height: 4899,
    });
  });
});

interface Failure {
  source: string;
  reason: string;
}

function failuresOf(metadata: unknown): Failure[] {
  const text = JSON.stringify(metadata);
  const { platen }: { platen: { report: { failedAssets: Failure[] } } } =
    JSON.parse(text);
  return platen.report.failedAssets;
}

describe("a service that is reachable by its own host name", () => {
  const baseUrl = "https://documents.example.com";
  const service = useService({ config: { baseUrl } });

  it("does not call itself", () => {
    const outbound = service.container.resolve(Outbound);
    expect(() => outbound.check(`${baseUrl}/files/a.png`)).to.throw(
      "this service itself",
    );
    expect(() => outbound.check("https://example.com/a.png")).to.not.throw();
  });
});

describe("PLATEN_FETCH_ASSETS=off", () => {
  const service = useService(fetchingFromLoopback({ isFetching: false }));
  const gallery = useGallery(service);
  const server = useImageServer({ "/a.png": { body: png } });

  it("omits images that would be fetched and shows embedded ones", async () => {
    const own = toDataUrl(png);
    const { failed, shown } = await gallery.now.show(server.at("/a.png"), own);
    expect(failed).to.have.length(1);
    expect(failed[0]?.reason).to.contain("PLATEN_FETCH_ASSETS is off");
    expect(shown[1]).to.equal(own);
    expect(server.requests).to.deep.equal([]);
  });
});

describe("the limits of images", () => {
  const maxima = { maxBytes: 20_000, maxTotalBytes: 25_000, maxCount: 3 };
  const service = useService(
    fetchingFromLoopback({ ...maxima, maxPixels: 10_000 }),
  );
  const gallery = useGallery(service);
  const server = useImageServer({
    "/bomb.svg": {
      body: gzipSync(Buffer.alloc(5_000_000, " ")),
      headers: { "content-encoding": "gzip" },
    },
    "/a.png": { body: png },
    "/big1.png": { body: big },
    "/big2.png": { body: Buffer.concat([big, Buffer.from(" ")]) },
  });

  for (const [name, source, message] of [
    ["pixels", () => bomb, "400 × 400 pixels"],
    [
      "pixels inside an svg",
      () => svgUrl(svg(`<image href="${bomb}"/>`)),
      "400 × 400 pixels",
    ],
    [
      "decompressed bytes",
      () => server.at("/bomb.svg"),
      "larger than 20000 bytes",
    ],
    [
      "the length of the URL",
      () => server.at(`/a.png?${"a".repeat(9000)}`),
      "longer than 8192 characters",
    ],
    ["missing files", () => server.at("/none.png"), "with status 404"],
  ] as const)
    it(`apply to ${name}, and the rest of the document is rendered`, async () => {
      await expectFailure(gallery.now, source(), message);
    });

  it("apply to the bytes of all images of a document together", async () => {
    const urls = ["/big1.png", "/big2.png", "/big1.png"].map((path) =>
      server.at(path),
    );
    const { failed } = await gallery.now.show(...urls);
    const reason = "With this image, the document's images exceed 25000 bytes.";
    expect(failed).to.deep.equal([{ source: urls[1], reason }]);
  });

  it("apply to the number of fetches, with each URL counted once", async () => {
    const urls = [1, 2, 3, 4].map((number) => server.at(`/a.png?${number}`));
    const sources = [toDataUrl(png), ...urls, ...urls];
    const { failed } = await gallery.now.show(...sources);
    const last = failed.at(-1);
    expect(last?.source).to.equal(urls[3]);
    expect(last?.reason).to.contain("may fetch at most 3 remote images");
    expect(server.requests).not.to.include("/a.png?4");
  });
});

describe("the time limit of images", () => {
  const service = useService(fetchingFromLoopback({ timeoutMs: 300 }));
  const gallery = useGallery(service);
  const server = useImageServer({
    "/stalls.png": (_request, response) => response.write(png.subarray(0, 9)),
  });

  it("applies to a server that stalls, and the rest of the document is rendered", async () => {
    await expectFailure(gallery.now, server.at("/stalls.png"), "within 0.3 s");
  });
});

/** Shows the image beside another one, which is not fetched. */
async function expectFailure(
  gallery: ImageGallery,
  source: string,
  reason: string,
): Promise<void> {
  const { shown, failed } = await gallery.show(source, toDataUrl(png));
  expect(failed).to.have.length(1);
  expect(failed[0]?.source).to.equal(source.slice(0, 200));
  expect(failed[0]?.reason).to.contain(reason);
  expect(parseImage(shown[0]).type).to.equal("image/svg+xml");
  expect(parseImage(shown[1]).bytes).to.deep.equal(png);
}
