import type { SignFieldType } from "../../plugin-api/index.js";

/** One field that a signer fills in, in the order in which they stand in the document. */
export interface SignField {
  /** `1`, `2` and so on: the last part of its link. */
  id: string;
  name: string;
  /** The signer's role. */
  role: string;
  type: SignFieldType;
  required: boolean;
  options?: readonly string[];
}

/** What the addresses of the links begin with that mark fields in the document of this nonce. */
export function signLinks(nonce: string): string {
  return `https://esign.invalid/${nonce}/`;
}

/** A document that went to signing, for readers of its text: its fields are no links. */
export function withoutSignLinks(html: string, nonce: string): string {
  return html.replaceAll(
    new RegExp(` href="${signLinks(nonce)}\\d+"`, "g"),
    "",
  );
}

/** The fields of one document, and the links that mark their places when it goes to signing. */
export class SignFields {
  readonly #fields: SignField[] = [];
  readonly #nonce: string | null;

  /** @param nonce of the links' addresses; null when the document does not go to signing. */
  constructor(nonce: string | null) {
    this.#nonce = nonce;
  }

  get isActive(): boolean {
    return this.#nonce !== null;
  }

  get list(): SignField[] {
    return this.#fields;
  }

  /** @returns the attribute that makes the field's element a link; empty when the document does not go to signing. */
  add(field: Omit<SignField, "id">): string {
    const id = String(this.#fields.length + 1);
    this.#fields.push({ id, ...field });
    if (this.#nonce === null) return "";
    return ` href="${signLinks(this.#nonce)}${id}"`;
  }
}
