import { inkPdf, listPdf } from "../esign/signed-pdf.js";
import type { FakeSubmission } from "./fake-submission.js";

/** The PDF with what its signers have filled in. */
export function signedOf({ made, submitters, fields }: FakeSubmission) {
  const [first] = made.documents;
  const bytes = Buffer.from(first?.file ?? "", "base64");
  const marks = fields.flatMap(({ name, role, type, areas }) => {
    const by = submitters.find((one) => one.role === role);
    const value = by?.values[name];
    const signed = type === "signature" ? `Signed by ${by?.email}` : "";
    const text = typeof value === "string" ? value : signed;
    return areas.map((area) => ({ ...area, text }));
  });
  return inkPdf(bytes, marks);
}

export function auditOf({ made, id, submitters }: FakeSubmission) {
  const lines = submitters.map(
    ({ email, role, completedAt }) =>
      `${role} ${email} ${completedAt?.toISOString() ?? ""}`,
  );
  return listPdf([`Audit log of ${made.name} (${id})`, ...lines]);
}
