import { expect } from "chai";
import {
  drawBarcode,
  drawQrcode,
  type Symbology,
} from "../../../core/compiler/drawing/index.js";
import { merged } from "../support.js";
import { readCodes } from "./read-code.js";

// A reader tells UPC-A as the EAN-13 that it is, and ITF-14 as ITF.
const cases: [
  Symbology,
  string,
  { format: string; text: string; sent?: string },
][] = [
  ["code128", "ABC-1234", { format: "Code128", text: "ABC-1234" }],
  [
    "code128",
    "00340123450000000001",
    { format: "Code128", text: "00340123450000000001" },
  ],
  ["code128", "a b\t^{}~`\\", { format: "Code128", text: "a b\t^{}~`\\" }],
  ["code39", "ABC-12 3.$/+%", { format: "Code39", text: "ABC-12 3.$/+%" }],
  ["ean13", "4006381333931", { format: "EAN13", text: "4006381333931" }],
  ["ean8", "96385074", { format: "EAN8", text: "96385074" }],
  ["upca", "036000291452", { format: "EAN13", text: "0036000291452" }],
  ["itf14", "15400141288763", { format: "ITF", text: "15400141288763" }],
  [
    "datamatrix",
    "https://example.com/?a=1&b=<2>",
    { format: "DataMatrix", text: "https://example.com/?a=1&b=<2>" },
  ],
  [
    "datamatrix",
    "Grüße, 日本 ^FNC1 🙂",
    { format: "DataMatrix", text: "Grüße, 日本 ^FNC1 🙂" },
  ],
  [
    "pdf417",
    "M1DOE/JANE ^ 0042",
    { format: "PDF417", text: "M1DOE/JANE ^ 0042" },
  ],
  ["pdf417", "Größe 日本 🙂", { format: "PDF417", text: "Größe 日本 🙂" }],
  ...gs1Cases("gs1-128", "Code128", "]C1"),
  ...gs1Cases("gs1datamatrix", "DataMatrix", "]d2"),
];

/** With identifiers in parentheses, and as scanners send it. */
function gs1Cases(
  symbology: Symbology,
  format: string,
  identifier: string,
): typeof cases {
  const contents = [
    [
      "(01)09506000134352(17)261130(10)ABC",
      "01095060001343521726113010ABC",
      "(01)09506000134352(17)261130(10)ABC",
    ],
    [
      "10ABC\u001d010950600013435217261130",
      "10ABC\u001d010950600013435217261130",
      "(10)ABC(01)09506000134352(17)261130",
    ],
    [
      `${identifier}010950600013435210A(B)C^FNC13103001750^FNC121X-1`,
      "010950600013435210A(B)C\u001d310300175021X-1",
      "(01)09506000134352(10)A(B)C(3103)001750(21)X-1",
    ],
    [
      "(01)09506000134352(10)A(B)C(21)X-1",
      "010950600013435210A(B)C\u001d21X-1",
      "(01)09506000134352(10)A(B)C(21)X-1",
    ],
    [
      "(00)106141411234567897",
      "00106141411234567897",
      "(00)106141411234567897",
    ],
  ] as const;
  return contents.map(([value, sent, text]) => [
    symbology,
    value,
    { format, text, sent: identifier + sent },
  ]);
}

describe("a barcode", () => {
  for (const [symbology, value, read] of cases)
    it(`of ${symbology} is read as ${JSON.stringify(value)}`, async () => {
      const codes = await readCodes(drawBarcode({ symbology, value }));
      expect(codes).to.deep.equal([read]);
    });
});

const values = [
  "https://example.com/pay/2026-0042?amount=1234.50&to=<x>",
  "0123456789012345678901234567890",
  "BCD\n002\n1\nSCT\n\nMüller & Søn\nDE89370400440532013000\nEUR12.30",
  "漢字 кириллица עברית 🙂",
  "x".repeat(1200),
];

describe("a QR code", () => {
  for (const value of values)
    for (const ecc of ["L", "M", "Q", "H"] as const)
      it(`of ${value.length} characters with ${ecc} scans`, async () => {
        const svg = drawQrcode({ value, ecc });
        const codes = await readCodes(svg, 40);
        expect(codes).to.deep.equal([{ format: "QRCode", text: value }]);
      });
});

const qrcode = { type: "qrcode", value: "{{ root.long }}" };
const code128 = {
  type: "barcode",
  symbology: "code128",
  value: "{{ root.id }}",
};
const ean13 = { type: "barcode", symbology: "ean13", value: "4006381333931" };
const data = { long: "x".repeat(300), id: "ABCDEFGHIJKLMNOPQRSTUVWXYZ1234" };
const inColumn = (width: string, component: object) => ({
  type: "columns",
  components: [
    { type: "column", width, components: [component] },
    { type: "column", components: [] },
  ],
});

const inBox = (style: object, component: object) => ({
  type: "container",
  style,
  components: [component],
});
const ean = { ...ean13, width: "20mm" };

/** Components and options, and why their code cannot be read; null when it can. */
const sizes: [object, object, string | null][] = [
  [qrcode, {}, null],
  [{ ...qrcode, size: "14mm" }, {}, null],
  [
    { ...qrcode, size: "5mm" },
    {},
    "The QR code is 5 mm wide and has 77 modules side by side, each 0.065 mm wide. Printers and scanners need 0.17 mm. Make it at least 14 mm wide, or encode less.",
  ],
  [
    { ...qrcode, style: { width: "5mm" } },
    {},
    "The QR code is 5 mm wide and has 77 modules side by side, each 0.065 mm wide. Printers and scanners need 0.17 mm. Make it at least 14 mm wide, or encode less.",
  ],
  [code128, {}, null],
  [
    { ...code128, width: "15mm" },
    {},
    "The Code 128 is 15 mm wide and has 374 modules side by side, each 0.04 mm wide. Printers and scanners need 0.17 mm. Make it at least 64 mm wide, or encode less.",
  ],
  [
    inColumn("15mm", code128),
    {},
    "The Code 128 is 15 mm wide and has 374 modules side by side, each 0.04 mm wide. Printers and scanners need 0.17 mm. Make it at least 64 mm wide, or encode less.",
  ],
  [
    inBox({ width: "25mm", padding: "0 5mm" }, code128),
    {},
    "The Code 128 is 15 mm wide and has 374 modules side by side, each 0.04 mm wide. Printers and scanners need 0.17 mm. Make it at least 64 mm wide, or encode less.",
  ],
  // It is wider than its box.
  [inBox({ width: "10mm" }, qrcode), {}, null],
  [
    inBox({ width: "10mm" }, { ...qrcode, size: "50%" }),
    {},
    "The QR code is 5 mm wide and has 77 modules side by side, each 0.065 mm wide. Printers and scanners need 0.17 mm. Make it at least 14 mm wide, or encode less.",
  ],
  [
    {
      ...qrcode,
      size: "20mm",
      style: { transform: "rotate(9deg) scale(25%)" },
    },
    {},
    "The QR code is 5 mm wide and has 77 modules side by side, each 0.065 mm wide. Printers and scanners need 0.17 mm. Make it at least 14 mm wide, or encode less.",
  ],
  [
    inBox(
      { transform: "scale(0.8)" },
      inBox({ transform: "scale(0.5, 1)" }, ean),
    ),
    {},
    "The EAN-13 is 8 mm wide and has 113 modules side by side, each 0.071 mm wide. Printers and scanners need 0.17 mm. Make it at least 20 mm wide, or encode less.",
  ],
  [inBox({ transform: "scale(1, 0.5)" }, ean), {}, null],
  [inBox({ transform: "scale(2)" }, { ...ean, width: "10mm" }), {}, null],
  [ean, {}, null],
  [
    ean,
    { renderOptions: { scale: 0.5 } },
    "The EAN-13 is 10 mm wide and has 113 modules side by side, each 0.088 mm wide. Printers and scanners need 0.17 mm. Make it at least 20 mm wide, or encode less.",
  ],
  [
    { ...ean13, height: "2mm" },
    {},
    "The EAN-13 is to be 2 mm high. Make it at least 6 mm high, which its bars and the text below need, or leave out its height or text.",
  ],
  [
    { ...ean13, height: "2mm", width: "30mm" },
    {},
    "The EAN-13 is to be 2 mm high. Make it at least 4.8 mm high, which its bars and the text below need, or leave out its height or text.",
  ],
  [{ ...ean13, height: "6mm" }, {}, null],
  [{ ...ean13, height: "2.7mm", showText: false }, {}, null],
  [ean13, { imageScale: 2 }, null],
  // The smallest that GS1 allows in retail.
  [{ ...ean13, width: "29.83mm" }, { imageScale: 2 }, null],
  [
    ean13,
    { imageScale: 1 },
    "The modules of the EAN-13 are 1.2 pixels wide in the image. Readers need 2. Set renderOptions.deviceScaleFactor to 1.7, or make the code wider.",
  ],
  [ean13, { imageScale: 0.5 }, null],
];

describe("a code that is too small to be read", () => {
  for (const [component, options, reason] of sizes)
    it(`is reported unless it is large enough: ${JSON.stringify([component, options])}`, () => {
      const { report } = merged([component], data, options);
      expect(report.invalidCodes.map((code) => code.reason)).to.deep.equal(
        reason === null ? [] : [reason],
      );
    });
});
