import type { Color, PDFDocument, PDFPage } from "@cantoo/pdf-lib";
import { type DemoRequest, signerStatus } from "../kept-request.js";
import { pagesInWords } from "../pages-in-words.js";
import { timeInWords } from "../time-in-words.js";
import { demoMark } from "../words.js";
import { drawFitting, type Ink, inkFor } from "./ink.js";

/** A4, in points. */
const width = 595;
const height = 842;
const margin = 48;
const bandHeight = 118;
const rowHeight = 54;
const columns = { who: margin, role: 236, what: 336, end: width - margin };

interface Paper {
  pdf: PDFDocument;
  ink: Ink;
  color: (hex: string) => Color;
}

/** Who was asked, who did what, and when; with what proves which document it was. */
export async function auditPdf(demo: DemoRequest): Promise<Uint8Array> {
  const { PDFDocument, rgb } = await import("@cantoo/pdf-lib");
  const pdf = await PDFDocument.create();
  const color = (hex: string) => {
    const part = (at: number) => parseInt(hex.slice(at, at + 2), 16) / 255;
    return rgb(part(0), part(2), part(4));
  };
  const paper: Paper = { pdf, ink: await inkFor(pdf), color };
  const { request } = demo;
  pdf.setTitle(`Audit trail of ${request.title}`);
  let page = firstPage(paper, demo);
  let y = height - bandHeight - 150;
  heads(paper, page, y);
  for (const place of request.signers.keys()) {
    y -= rowHeight;
    if (y < margin + 24) {
      page = pdf.addPage([width, height]);
      y = height - margin - rowHeight;
      heads(paper, page, y + rowHeight);
    }
    row(paper, page, y, demo, place);
  }
  for (const [at, one] of pdf.getPages().entries()) foot(paper, one, at + 1);
  return pdf.save();
}

function firstPage(paper: Paper, { request }: DemoRequest): PDFPage {
  const { pdf, ink, color } = paper;
  const page = pdf.addPage([width, height]);
  const band = { x: 0, y: height - bandHeight, width, height: bandHeight };
  page.drawRectangle({ ...band, color: color("0f5f59") });
  const white = { color: color("ffffff") };
  page.drawText("AUDIT TRAIL", {
    x: margin,
    y: height - 44,
    size: 9,
    font: ink.bold,
    ...white,
  });
  page.drawText(demoMark, {
    x: columns.end - ink.bold.widthOfTextAtSize(demoMark, 9),
    y: height - 44,
    size: 9,
    font: ink.bold,
    ...white,
  });
  line(paper, page, request.title, {
    y: height - 80,
    size: 22,
    font: "bold",
    hex: "ffffff",
  });
  const facts = [
    ["Request", request.id],
    ["Document", `${pagesInWords(request.pages)}, ${request.sizeBytes} bytes`],
    ["SHA-256 of the document", request.sha256],
  ] as const;
  for (const [at, [name, value]] of facts.entries()) {
    const y = height - bandHeight - 36 - at * 30;
    line(paper, page, name, { y: y + 11, size: 8, hex: "59636d" });
    line(paper, page, value, { y: y - 1, size: 10 });
  }
  return page;
}

function heads(paper: Paper, page: PDFPage, y: number): void {
  const soft = { y, size: 8, hex: "59636d", font: "bold" } as const;
  line(paper, page, "SIGNER", { ...soft, x: columns.who });
  line(paper, page, "ROLE", { ...soft, x: columns.role });
  line(paper, page, "WHAT AND WHEN", { ...soft, x: columns.what });
  rule(paper, page, y - 8);
}

function row(
  paper: Paper,
  page: PDFPage,
  y: number,
  demo: DemoRequest,
  place: number,
): void {
  const signer = demo.request.signers[place];
  if (!signer) return;
  const { name, email, role } = signer;
  const who = { x: columns.who, until: columns.role };
  line(paper, page, name, { ...who, y: y + 22, size: 11, font: "bold" });
  line(paper, page, email, { ...who, y: y + 8, size: 9, hex: "59636d" });
  const within = { x: columns.role, until: columns.what };
  line(paper, page, role, { ...within, y: y + 22, size: 10 });
  for (const [at, text] of doneBy(demo, place).entries())
    line(paper, page, text, { x: columns.what, y: y + 22 - at * 13, size: 9 });
  rule(paper, page, y - 6);
}

function doneBy(demo: DemoRequest, place: number): string[] {
  const opened = demo.opened[place];
  const answer = demo.answers[place];
  const lines = [
    ...(opened ? [`Opened ${timeInWords(opened)}`] : []),
    ...(answer
      ? [
          `${answer.kind === "signed" ? "Signed" : "Declined"} ${timeInWords(answer.at)}`,
        ]
      : []),
  ];
  return lines.length > 0 ? lines : [signerStatus(demo, place)];
}

function foot(paper: Paper, page: PDFPage, number: number): void {
  const text = `${demoMark}. Nobody was identified. Page ${number}`;
  line(paper, page, text, { y: 28, size: 8, hex: "59636d" });
}

function line(
  { ink, color }: Paper,
  page: PDFPage,
  text: string,
  {
    x = margin,
    until = columns.end,
    y,
    size,
    font = "plain",
    hex = "1c2126",
  }: {
    x?: number;
    until?: number;
    y: number;
    size: number;
    font?: "plain" | "bold";
    hex?: string;
  },
): void {
  page.setFontColor(color(hex));
  const room = until - x - (until === columns.end ? 0 : 10);
  drawFitting(page, text, { x, y, width: room, size, font: ink[font] });
}

function rule({ color }: Paper, page: PDFPage, y: number): void {
  page.drawLine({
    start: { x: margin, y },
    end: { x: columns.end, y },
    thickness: 0.6,
    color: color("e3dfd6"),
  });
}
