/** One field that a signer fills in, in the order in which they stand in the document. */
export interface SignField {
  /** `1`, `2` and so on: the last part of its link. */
  id: string;
  name: string;
  /** The signer's role. */
  role: string;
  type: string;
  required: boolean;
  options?: readonly string[];
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

  /** @returns the link's markup, empty when there is none to draw. */
  add(field: Omit<SignField, "id">): string {
    const id = String(this.#fields.length + 1);
    this.#fields.push({ id, ...field });
    if (this.#nonce === null) return "";
    return `<a class="sign-probe" href="https://esign.invalid/${this.#nonce}/${id}">\u00a0</a>`;
  }
}
