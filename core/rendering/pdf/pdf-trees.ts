import { PDFArray, PDFDict, PDFName, type PDFObject } from "@cantoo/pdf-lib";
import { chunksOf } from "../../lib/chunks.js";
import { type PdfWriter, toRefs } from "./pdf-writer.js";

/** Entries of one node of a name tree or number tree, and pages of one node of a page tree. */
const ENTRIES_OF_NODE = 250;
const PAGES_OF_NODE = 64;

/**
 * A name tree or number tree (ISO 32000-1, 7.9.6 and 7.9.7) whose entries are added in the order of their keys. Memory:
 * one number for each 250.
 */
export class PdfTree {
  readonly #nodes: number[] = [];

  constructor(
    private readonly writer: PdfWriter,
    private readonly list: "Names" | "Nums",
  ) {}

  get isEmpty(): boolean {
    return this.#nodes.length === 0;
  }

  /** @param entries keys and values in PDF syntax, sorted, all greater than those before */
  add(entries: readonly (readonly [key: string, value: string])[]): void {
    for (const some of chunksOf(entries, ENTRIES_OF_NODE)) {
      const limits = [some[0], some.at(-1)].map((entry) => entry?.[0]);
      const flat = some.map(([key, value]) => `${key} ${value}`);
      const body = `<</Limits[${limits.join(" ")}]/${this.list}[${flat.join(" ")}]>>`;
      this.#nodes.push(this.writer.add(body));
    }
  }

  /** Writes the root. @returns its number */
  end(): number {
    const body = this.isEmpty
      ? `/${this.list}[]`
      : `/Kids[${toRefs(this.#nodes)}]`;
    return this.writer.add(`<<${body}>>`);
  }
}

/** The keys and values of a name tree or number tree, by the entry of its owner. */
export function readTree(
  owner: PDFDict | null,
  key: string,
  list: "Names" | "Nums",
): (readonly [PDFObject, PDFObject])[] {
  if (owner === null) return [];
  const { context } = owner;
  const entries: (readonly [PDFObject, PDFObject])[] = [];
  const seen = new Set<PDFObject>();
  const visit = (object: PDFObject | undefined) => {
    const node = context.lookup(object);
    if (!(node instanceof PDFDict) || seen.has(node)) return;
    seen.add(node);
    const pairs = node.lookup(PDFName.of(list));
    const flat = pairs instanceof PDFArray ? pairs.asArray() : [];
    for (let at = 0; at + 1 < flat.length; at += 2) {
      const name = context.lookup(flat[at]);
      const value = flat[at + 1];
      if (name && value) entries.push([name, value]);
    }
    const kids = node.lookup(PDFName.of("Kids"));
    if (kids instanceof PDFArray) for (const kid of kids.asArray()) visit(kid);
  };
  visit(owner.get(PDFName.of(key)));
  return entries;
}

/** Pages in their order, in nodes below the root of the page tree. */
export class PdfPages {
  readonly nodes: number[] = [];
  count = 0;
  #parent: number | null = null;
  #pages: number[] = [];

  /** @param root the number of the root */
  constructor(
    private readonly writer: PdfWriter,
    private readonly root: number,
  ) {}

  /** The number of the node that the next page names as its parent; append the page before the next call. */
  get parent(): number {
    return (this.#parent ??= this.writer.reserve());
  }

  append(page: number): void {
    this.#pages.push(page);
    this.count += 1;
    if (this.#pages.length === PAGES_OF_NODE) this.end();
  }

  /** Writes the last node. */
  end(): void {
    if (this.#parent === null) return;
    this.writer.write(
      this.#parent,
      `<</Type/Pages/Parent ${this.root} 0 R/Count ${this.#pages.length}/Kids[${toRefs(this.#pages)}]>>`,
    );
    this.nodes.push(this.#parent);
    this.#parent = null;
    this.#pages = [];
  }
}
