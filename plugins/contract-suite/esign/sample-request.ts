import { randomUUID } from "node:crypto";
import type { FieldBox, SignRequest } from "../../../core/plugin-api/index.js";

/** Two who sign one after the other, on a page each; the first writes a town too. */
export function sampleRequest(changes: Partial<SignRequest> = {}): SignRequest {
  return {
    requestId: randomUUID(),
    title: "A contract of the contract suite",
    pdf: { name: "contract", bytes: emptyPdf(2), pages: 2 },
    fields: [
      box("Buyer", 1),
      box("Seller", 2),
      { ...box("Buyer", 1), name: "Town", type: "text", y: 0.7 },
    ],
    submitters: [
      { role: "Buyer", email: "buyer@example.com", name: "Ada", order: 0 },
      { role: "Seller", email: "seller@example.com", name: "Bob", order: 1 },
    ],
    ...changes,
  };
}

function box(role: string, page: number): FieldBox {
  return {
    id: randomUUID(),
    name: `Signature of ${role}`,
    role,
    type: "signature",
    required: role !== "",
    page,
    x: 0.1,
    y: 0.5,
    w: 0.3,
    h: 0.05,
  };
}

/** The smallest PDF that readers take, with so many empty pages. */
function emptyPdf(pages: number): Uint8Array {
  const numbers = Array.from({ length: pages }, (_, page) => page + 3);
  const kids = numbers.map((number) => `${number} 0 R`).join(" ");
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Count ${pages}/Kids[${kids}]>>`,
    ...numbers.map(() => "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>"),
  ];
  let text = "%PDF-1.4\n";
  const places: number[] = [];
  for (const [at, object] of objects.entries()) {
    places.push(text.length);
    text += `${at + 1} 0 obj${object}endobj\n`;
  }
  const rows = places.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`);
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join("")}`;
  const trailer = `trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`;
  return new TextEncoder().encode(text + table + trailer);
}
