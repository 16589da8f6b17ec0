import { randomBytes } from "node:crypto";
import type { PDFDocument } from "@cantoo/pdf-lib";
import { type PdfPassword, PERMISSIONS } from "./finishing.js";

/** Without an owner's password, a random one that nobody knows: otherwise the user's would lift the restrictions. */
export function protect(
  pdf: PDFDocument,
  { user, owner, permissions = PERMISSIONS }: PdfPassword,
): void {
  const may = (permission: (typeof PERMISSIONS)[number]) =>
    permissions.includes(permission);
  pdf.encrypt({
    ...(user !== undefined && { userPassword: user }),
    ownerPassword: owner ?? randomBytes(24).toString("base64"),
    permissions: {
      printing: may("print") && "highResolution",
      modifying: may("modify"),
      copying: may("copy"),
      annotating: may("annotate"),
      fillingForms: may("fillForms"),
      documentAssembly: may("assemble"),
      // For the blind: no restriction may keep them from reading.
      contentAccessibility: true,
    },
    algorithm: "AES-256",
  });
}
