import { expect } from "chai";
import { describe, it } from "mocha";
import { OPTIONS } from "../support.js";
import { email, section } from "./emails.js";

const ATTRIBUTE = / (\w+)="([^"]*)"/g;

/** The attributes of the images of an email's html. */
function images(html: string): Record<string, string>[] {
  return [...html.matchAll(/<img ([^>]*)>/g)].map(([, text = ""]) =>
    Object.fromEntries(
      [...` ${text}`.matchAll(ATTRIBUTE)].map(([, name, value]) => [
        name,
        value,
      ]),
    ),
  );
}

function render(components: object[], data: object = {}) {
  const { html, assets } = email({ components }).merge(data, OPTIONS);
  return { html, assets, images: images(html) };
}

const qrcode = { type: "qrcode", value: "{{ root.v }}", size: "30mm" };
const barcode = { type: "barcode", symbology: "code128", value: "A-1" };
const chart = {
  type: "chart",
  chart: "bar",
  data: "root.rows",
  label: "name",
  series: [{ field: "n" }],
  height: "200px",
};
const rows = [
  { name: "A", n: 1 },
  { name: "B", n: 2 },
];

describe("drawings in an email", () => {
  it("are images with their size in px and an alternative text, since mail programs drop SVG", () => {
    const all = [section([qrcode, barcode, chart])];
    const { html, images: found } = render(all, { v: "x", rows });
    expect(html).not.to.include("<svg");
    const [code, bars, graph] = found;
    expect(code).to.include({ width: "113", height: "113", alt: "QR code" });
    expect(bars?.["alt"]).to.equal("Code 128 A-1");
    expect(graph).to.include({ width: "552", height: "200" });
    for (const { src } of found) expect(src).to.match(/^platen-asset-/);
  });

  it("are no wider than their column", () => {
    const column = { type: "column", components: [qrcode, chart] };
    const two = [{ type: "section", components: [column, column, column] }];
    const { images: found } = render(two, { v: "x", rows });
    const widths = found.map(({ width }) => Number(width));
    for (const width of widths) expect(width).to.be.at.most(200 - 48);
  });

  it("are listed with the size in which they are shown, and equal ones once", () => {
    const { assets } = render([qrcode, qrcode, barcode], { v: "x" });
    expect(assets.map(({ drawing }) => drawing?.widthPx)).to.have.length(2);
    expect(assets[0]?.drawing).to.eql({ widthPx: 113, heightPx: 113 });
    const svg = Buffer.from(assets[0]?.source.split(",")[1] ?? "", "base64");
    expect(svg.toString()).to.match(/^<svg /);
  });

  it("are images in a table's cells and in MJML as well", () => {
    const cell = { type: "table-cell", components: [qrcode] };
    const row = { type: "table-row", components: [cell] };
    const program = email({
      components: [{ type: "table", components: [row] }],
    });
    const { mjml, assets } = program.mjml({ v: "x" }, OPTIONS);
    expect(mjml).to.include("<img src=").and.not.to.include("<svg");
    expect(assets).to.have.length(1);
  });

  it("show charts on white, which dark mail programs leave as it is", () => {
    const { assets } = render([chart], { rows });
    const svg = Buffer.from(assets[0]?.source.split(",")[1] ?? "", "base64");
    expect(svg.toString()).to.include('fill="#fff"');
  });
});

describe("social links in an email", () => {
  const items = [
    { network: "LinkedIn", href: "https://l.example/{{ root.id }}" },
    { network: "our forum", href: "https://f.example" },
  ];

  it("are icons with the network's name as alternative text", () => {
    const { html, images: found } = render([{ type: "social", items }], {
      id: "a b",
    });
    expect(found.map(({ alt, width }) => [alt, width])).to.eql([
      ["LinkedIn", "28"],
      ["Our forum", "28"],
    ]);
    expect(html).to.include('href="https://l.example/a%20b"');
  });

  it("take their size and the color of their circles from the component", () => {
    const style = { color: "#0a66c2" };
    const social = { type: "social", items, size: "40px", style };
    const { assets, images: found } = render([social]);
    expect(found[0]).to.include({ width: "40", height: "40" });
    const svg = Buffer.from(assets[0]?.source.split(",")[1] ?? "", "base64");
    expect(svg.toString()).to.include('fill="#0a66c2"');
  });
});
