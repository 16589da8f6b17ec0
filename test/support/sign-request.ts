import { randomUUID } from "node:crypto";
import { PDFDocument } from "@cantoo/pdf-lib";
import type { FieldBox, SignRequest } from "../../core/plugin-api/index.js";

/** A PDF of empty pages. */
export async function emptyPdf(pages = 1): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  for (let page = 0; page < pages; page += 1) pdf.addPage([595, 842]);
  return pdf.save();
}

export function box(role: string, changes: Partial<FieldBox> = {}): FieldBox {
  return {
    id: randomUUID(),
    name: `Signature of ${role}`,
    role,
    type: "signature",
    required: true,
    page: 1,
    x: 0.1,
    y: 0.5,
    w: 0.3,
    h: 0.05,
    ...changes,
  };
}

/** A contract of two pages that a buyer signs, and then a seller. */
export async function signRequest(
  changes: Partial<SignRequest> = {},
): Promise<SignRequest> {
  return {
    requestId: randomUUID(),
    title: "Contract 7",
    pdf: { name: "contract-7", bytes: await emptyPdf(2), pages: 2 },
    fields: [
      box("Buyer"),
      box("Seller", { page: 2 }),
      box("Buyer", { name: "Town", type: "text", y: 0.6, required: false }),
    ],
    submitters: [
      { role: "Buyer", email: "buyer@example.com", name: "Ada", order: 0 },
      { role: "Seller", email: "seller@example.com", order: 1 },
    ],
    ...changes,
  };
}
