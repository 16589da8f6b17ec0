/** What a signer can be asked to fill in. */
export const SIGN_FIELD_TYPES = [
  "signature",
  "initials",
  "date",
  "text",
  "checkbox",
  "select",
  "number",
  "image",
  "stamp",
] as const;
export type SignFieldType = (typeof SIGN_FIELD_TYPES)[number];
