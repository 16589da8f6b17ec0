import type { SignFieldType } from "../plugin-api/index.js";

/** A field that a signer fills in. */
export interface SignField {
  /** A number that counts from 1 in document order; the last part of its link. */
  id: string;
  /** Fields of a role that have the same name are one field: they have the same type and options, and one answer. */
  name: string;
  role: string;
  type: SignFieldType;
  required: boolean;
  options?: readonly string[];
}

/** The prefix of the links that mark the fields of a document with this nonce. */
export function signLinks(nonce: string): string {
  return `https://esign.invalid/${nonce}/`;
}

export function removeSignLinks(html: string, nonce: string): string {
  return html.replaceAll(
    new RegExp(` href="${signLinks(nonce)}\\d+"`, "g"),
    "",
  );
}

/** The fields of one document and the links that mark their positions when it goes to signing. */
export class SignFields {
  readonly #fields: SignField[] = [];
  readonly #namesByKind = new Map<string, string>();
  /** Roles with the names of their fields. */
  readonly #taken = new Set<string>();
  /** How many names were made of a role and a base. */
  readonly #counts = new Map<string, number>();
  readonly #nonce: string | null;

  /** @param nonce part of the links; null when the document does not go to signing. */
  constructor(nonce: string | null) {
    this.#nonce = nonce;
  }

  get isActive(): boolean {
    return this.#nonce !== null;
  }

  get list(): SignField[] {
    return this.#fields;
  }

  get latestName(): string {
    return this.#fields.at(-1)?.name ?? "";
  }

  /**
   * @param field its name may be empty, or that of a field of another type
   * @returns the attribute that turns the element into a link; empty when the document does not go to signing
   */
  add(field: Omit<SignField, "id">): string {
    const id = String(this.#fields.length + 1);
    this.#fields.push({ ...field, id, name: this.#chooseName(field) });
    if (this.#nonce === null) return "";
    return ` href="${signLinks(this.#nonce)}${id}"`;
  }

  /**
   * A name that only fields with the same type and options share: "Note", and "Note 2" for a checkbox of that name. A
   * field without a name is one of its own, named after its type.
   */
  #chooseName({ name, role, type, options }: Omit<SignField, "id">): string {
    const given = name.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
    const kind = JSON.stringify([role, given, type, options]);
    const existing = given === "" ? undefined : this.#namesByKind.get(kind);
    if (existing !== undefined) return existing;
    const base = given || type.charAt(0).toUpperCase() + type.slice(1);
    const counter = JSON.stringify([role, base]);
    let number = this.#counts.get(counter) ?? 0;
    let chosen: string;
    let key: string;
    do {
      number += 1;
      chosen = number === 1 ? base : `${base} ${number}`;
      key = JSON.stringify([role, chosen]);
    } while (this.#taken.has(key));
    this.#counts.set(counter, number);
    this.#taken.add(key);
    this.#namesByKind.set(kind, chosen);
    return chosen;
  }
}
