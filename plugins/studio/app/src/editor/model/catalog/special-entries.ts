import type { CatalogEntries } from "./catalog-entry.js";

/** Pictures, codes, and what is for printed pages alone or for emails. */
export const specialEntries: CatalogEntries<
  | "image"
  | "button"
  | "qrcode"
  | "barcode"
  | "chart"
  | "page-break"
  | "page-number"
  | "sign-field"
  | "section"
  | "hero"
  | "social"
  | "preheader"
> = {
  image: {
    words: "Picture",
    purpose: "A logo, a photo, a picture from your data",
    icon: "image",
    group: "Media",
    make: () => ({ type: "image", src: "", alt: "" }),
  },
  button: {
    words: "Button",
    purpose: "A link that looks like a button",
    icon: "button",
    group: "Media",
    make: () => ({ type: "button", text: "Open", href: "https://example.com" }),
  },
  qrcode: {
    words: "QR code",
    purpose: "For phones to scan",
    icon: "qrcode",
    group: "Codes and charts",
    make: () => ({
      type: "qrcode",
      value: "https://example.com",
      size: "28mm",
    }),
  },
  barcode: {
    words: "Barcode",
    purpose: "For goods, parcels and tickets",
    icon: "barcode",
    group: "Codes and charts",
    make: () => ({ type: "barcode", value: "12345678", symbology: "code128" }),
  },
  chart: {
    words: "Chart",
    purpose: "Bars, lines or a pie from a list",
    icon: "chart",
    group: "Codes and charts",
    make: () => ({
      type: "chart",
      chart: "bar",
      data: "root",
      label: "name",
      series: [{ field: "value" }],
      height: "60mm",
    }),
  },
  "page-break": {
    words: "Page break",
    purpose: "Goes on with a new page",
    icon: "break",
    group: "Page",
    make: () => ({ type: "page-break" }),
  },
  "page-number": {
    words: "Page number",
    purpose: "In headers and footers",
    icon: "number",
    group: "Page",
    make: () => ({ type: "page-number", format: "Page {page} of {pages}" }),
  },
  "sign-field": {
    words: "Signature field",
    purpose: "Where somebody signs or fills in",
    icon: "sign",
    group: "Page",
    make: () => ({
      type: "sign-field",
      field: "signature",
      name: "signature",
      submitter: "Signer",
      required: true,
    }),
  },
  section: {
    words: "Section",
    purpose: "A band across the email, with columns",
    icon: "section",
    group: "Email",
    make: () => ({
      type: "section",
      components: [{ type: "column", components: [] }],
    }),
  },
  hero: {
    words: "Hero",
    purpose: "A large picture with words on it",
    icon: "hero",
    group: "Email",
    make: () => ({ type: "hero", background: "", components: [] }),
  },
  social: {
    words: "Social links",
    purpose: "Icons that lead to your pages",
    icon: "social",
    group: "Email",
    make: () => ({
      type: "social",
      items: [{ network: "linkedin", href: "https://www.linkedin.com" }],
    }),
  },
  preheader: {
    words: "Preheader",
    purpose: "What inboxes show beside the subject",
    icon: "mail",
    group: "Email",
    make: () => ({ type: "preheader", text: "Preview text" }),
  },
};
