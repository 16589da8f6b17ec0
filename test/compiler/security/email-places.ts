import { plainComponents, type Places } from "./document-places.js";

/** Components of emails, beside those that documents have as well. */
export const emailComponents: Places = {
  ...plainComponents,
  "text of a section": (value) => section([{ type: "text", text: value }]),
  "link in a section": (value) =>
    section([{ type: "button", text: value, href: value }]),
  "image in a section": (value) =>
    section([{ type: "image", src: value, alt: value, href: value }]),
  hero: (value) => ({
    type: "hero",
    background: value,
    components: [{ type: "text", text: value }],
  }),
  "social link": (value) => ({
    type: "social",
    items: [{ network: "x", href: value }],
  }),
  preheader: (value) => ({ type: "preheader", text: value }),
  "style in a section": (value) =>
    section([{ type: "text", text: "a", style: { padding: value } }]),
};

export const emailParts: Places = {
  subject: (value) => ({ email: { subject: value } }),
  preheader: (value) => ({ email: { subject: "a", preheader: value } }),
  "named style": (value) => ({
    styles: { a: { color: value, "background-color": value } },
    components: [{ type: "text", text: "a", class: "a" }],
  }),
};

function section(components: readonly object[]): object {
  return { type: "section", components: [{ type: "column", components }] };
}

/** Its columns depend on the record, so that its MJML is read again for each one, with the data in it. */
export function withVariableColumns(components: readonly object[]): object[] {
  const collection = { collectionId: "part", path: "root.parts" };
  return [
    {
      type: "section",
      components: [{ type: "column", collection, components }],
    },
  ];
}
