import type { CheckedEinvoice, MergedEinvoice } from "../../compiler/index.js";
import {
  EINVOICE_PROFILES,
  type EinvoiceProfile,
} from "../../definition/index.js";
import { PlatenError, type Problem } from "../../plugin-api/index.js";
import type { EmbeddedParts } from "./pdf-post-processor.js";

/** Whether PDFs of this profile contain the electronic invoice; those of null are no e-invoices. */
export function isEmbedded(profile: EinvoiceProfile | null): boolean {
  return profile !== null && EINVOICE_PROFILES[profile].facturX !== null;
}

/** The broken rules, without what only editors use. */
export function listEinvoiceProblems({ problems }: CheckedEinvoice): Problem[] {
  return problems.map(
    ({ term: _term, expected: _expected, ...problem }) => problem,
  );
}

/** @throws PlatenError `merge_failed` when the record breaks rules */
export function assertValidEinvoice(checked: CheckedEinvoice): MergedEinvoice {
  if (checked.einvoice !== null) return checked.einvoice;
  const problems = listEinvoiceProblems(checked);
  const rules = problems.length === 1 ? "a rule" : `${problems.length} rules`;
  throw new PlatenError(
    "merge_failed",
    `The e-invoice was not made because the record breaks ${rules}.`,
    { problems },
  );
}

/** What a PDF contains as Factur-X 1.0 (ZUGFeRD 2); null for profiles that are sent without a PDF. */
export function embedEinvoice({
  profile,
  xml,
}: MergedEinvoice): EmbeddedParts | null {
  const { facturX } = EINVOICE_PROFILES[profile];
  if (facturX === null) return null;
  const name = "factur-x.xml";
  return {
    conformance: "pdf/a-3b",
    attachments: [
      {
        path: "$.einvoice",
        isUncheckedPdf: false,
        name,
        mimeType: "text/xml",
        description: "Factur-X invoice",
        // The two smallest profiles do not have all that the PDF shows.
        relationship:
          facturX === "MINIMUM" || facturX === "BASIC WL"
            ? "Data"
            : "Alternative",
        bytes: Buffer.from(xml),
      },
    ],
    metadata: [
      {
        name: "Factur-X PDFA Extension Schema",
        namespace: "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#",
        prefix: "fx",
        properties: [
          {
            name: "DocumentFileName",
            description: "The name of the embedded XML document",
            value: name,
          },
          {
            name: "DocumentType",
            description: "The type of the hybrid document",
            value: "INVOICE",
          },
          {
            name: "Version",
            description: "The version of the standard of the XML document",
            value: "1.0",
          },
          {
            name: "ConformanceLevel",
            description: "The conformance level of the XML document",
            value: facturX,
          },
        ],
      },
    ],
  };
}
