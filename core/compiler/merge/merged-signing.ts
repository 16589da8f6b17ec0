/** One who signs, as the template and the record name them. Texts are trimmed; what is empty is left out. */
export interface MergedSubmitter {
  role: string;
  /** Empty where the record has none. */
  email: string;
  name?: string;
  order?: number;
  values?: Readonly<Record<string, string>>;
  /** JSON path in the definition, for errors; of a collection, with the element's place in it. */
  path: string;
}

/** What the template's root connection says of the signing of one document. */
export interface MergedAddressees {
  submitters: readonly MergedSubmitter[];
  message: { subject?: string; body?: string } | null;
  expiresInDays: number | null;
}
