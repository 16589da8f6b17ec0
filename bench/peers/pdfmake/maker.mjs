import { createRequire } from "node:module";
import pdfmake from "pdfmake";
import { invoice } from "./invoice.mjs";

// A process that makes the invoice each time it is sent the record, and answers with its size in bytes.

const require = createRequire(import.meta.url);
pdfmake.setFonts(require("pdfmake/fonts/Roboto.js"));
pdfmake.setLocalAccessPolicy((path) => path.includes("/Roboto/"));
pdfmake.setUrlAccessPolicy(() => false);

async function make(record) {
  const pdf = await pdfmake.createPdf(invoice(record)).getBuffer();
  process.send(pdf.length);
}

process.on("message", (record) => void make(record));
