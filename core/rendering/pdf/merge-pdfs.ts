import { deflateSync } from "node:zlib";
import {
  ParseSpeeds,
  PDFDocument,
  PDFName,
  PDFRawStream,
} from "@cantoo/pdf-lib";
import { clock } from "../../lib/clock.js";
import type { Conformance } from "../../plugin-api/index.js";
import { createSrgbProfile } from "./color-profile.js";
import { PdfPages, PdfTree } from "./pdf-trees.js";
import { PdfWriter, toRefs, toText } from "./pdf-writer.js";
import {
  EmptySignature,
  SIGNATURE_FIELD,
  type SignatureSpace,
} from "./pdf-signature.js";
import { removeSignatures } from "./remove-signatures.js";
import { createXmp, isArchival, readConformance } from "./xmp.js";
import {
  type Bookmark,
  Section,
  type Target,
  DocumentCopy,
} from "./document-copy.js";
import { PageNumbers } from "./page-numbers.js";

// Joins PDFs into one file as they arrive. Each is read as a whole, its objects are written under new numbers, and only
// what the end of the file needs is kept: the roots of its bookmarks and of its tags.

export interface MergeSettings {
  /** A bookmark for each document, with its own bookmarks below. */
  bookmarks: boolean;
  /** Whether each page shows its number in the whole file. */
  pageNumbers: boolean;
  /** Adds blank pages so that each document begins on an odd page. */
  startsOnOddPage: boolean;
  /** Of the whole file. */
  title: string;
}

export interface MergedPart {
  bytes: Uint8Array;
  /** The text of its bookmark. */
  title: string;
}

export class PdfMerger {
  readonly #writer: PdfWriter;
  readonly #target: Target;
  readonly #cover: Section;
  readonly #body: Section;
  readonly #root: number;
  readonly #outlines: number;
  #numbers: PageNumbers | null = null;
  #parts = 0;
  /** The standards that all documents so far conform to; null before the first. */
  #conformance: readonly Conformance[] | null = null;
  /** The field of the file's own signature, and its page; null unless the first document is signed. */
  #signatureField: { number: number; page: number } | null = null;
  #lastBox = "[0 0 595.28 841.89]";

  /** @param file descriptor of an empty file that is open for writing */
  constructor(
    file: number,
    private readonly settings: MergeSettings,
  ) {
    const writer = new PdfWriter(file);
    this.#writer = writer;
    this.#root = writer.reserve();
    this.#cover = new Section(new PdfPages(writer, this.#root));
    this.#body = new Section(new PdfPages(writer, this.#root));
    this.#outlines = writer.reserve();
    this.#target = {
      writer,
      shared: new Map(),
      topTag: writer.reserve(),
      nextKey: 0,
      parents: new PdfTree(writer, "Nums"),
      ids: new PdfTree(writer, "Names"),
      destinations: new PdfTree(writer, "Names"),
      attachments: new PdfTree(writer, "Names"),
      roles: new Map(),
      classes: new Map(),
      associated: [],
      fields: [],
      fieldResources: new Map(),
      language: null,
      preferences: null,
    };
  }

  /**
   * Appends a document.
   * @returns the index of its first page among those that were appended, and how many it has
   * @throws Error for a PDF that cannot be read; nothing of it is shown then
   */
  async add(part: MergedPart): Promise<{ first: number; pages: number }> {
    const source = await readPdf(part.bytes);
    const { pages } = this.#body;
    if (this.settings.startsOnOddPage && pages.count % 2 === 1)
      this.#addBlankPage(pages);
    const first = pages.count;
    await this.#append(this.#body, source, part.title);
    return { first, pages: pages.count - first };
  }

  /** Puts a document before all others; once, at the end. @returns how many pages it has, with a blank one */
  async addCover(part: MergedPart): Promise<number> {
    const { pages } = this.#cover;
    await this.#append(this.#cover, await readPdf(part.bytes), part.title);
    if (this.settings.startsOnOddPage && pages.count % 2 === 1)
      this.#addBlankPage(pages);
    return pages.count;
  }

  /** The standards that all documents so far conform to, and so does the file. */
  get conformance(): readonly Conformance[] {
    return this.#conformance ?? [];
  }

  /** Whether the documents are signed, and so the file has to be: their own signatures are not valid in it. */
  get isSigned(): boolean {
    return this.#signatureField !== null;
  }

  /**
   * Completes the file.
   * @param space of its signature; null when it is not signed
   * @returns with a signature that is still empty, and where it begins
   */
  end(space: SignatureSpace | null = null): {
    pages: number;
    sizeBytes: number;
    signature: { value: EmptySignature; at: number } | null;
  } {
    const writer = this.#writer;
    const target = this.#target;
    const sections = [this.#cover, this.#body];
    const pages = this.#writePages(sections);
    const bookmarks = sections.flatMap((section) => section.bookmarks);
    const tags = sections.flatMap((section) => section.tags);
    this.#writeBookmarks(bookmarks);
    const date = clock.date();
    const signature = this.#writeSignature(space, date);
    const entries = [
      `/Type/Catalog/Pages ${this.#root} 0 R`,
      target.language && `/Lang ${target.language}`,
      target.preferences && `/ViewerPreferences ${target.preferences}`,
      bookmarks.length > 0 &&
        `/Outlines ${this.#outlines} 0 R/PageMode/UseOutlines`,
      tags.length > 0 &&
        `/MarkInfo<</Marked true>>/StructTreeRoot ${this.#writeTags(tags)} 0 R`,
      this.#writeNames(),
      toPageLabels(sections),
      target.associated.length > 0 && `/AF[${toRefs(target.associated)}]`,
      target.fields.length > 0 && `/AcroForm ${this.#writeForm()} 0 R`,
      this.#writeConformance(date),
    ];
    const catalog = writer.add(
      `<<${entries.filter((entry) => entry !== false).join("")}>>`,
    );
    const pdfDate = toPdfDate(date);
    const info = writer.add(
      `<</Title ${toText(this.settings.title)}/Creator(Platen)/Producer(Platen)/CreationDate(${pdfDate})/ModDate(${pdfDate})>>`,
    );
    writer.end(catalog, info);
    return { pages, sizeBytes: writer.sizeBytes, signature };
  }

  #writeSignature(space: SignatureSpace | null, date: Date) {
    const field = this.#signatureField;
    if (field === null) return null;
    if (space === null) throw new Error("the file has to be signed");
    const writer = this.#writer;
    const value = new EmptySignature(space, date);
    const number = writer.reserve();
    const at = writer.writePlain(number, value.text);
    const { Type, Subtype, FT, F, Rect } = SIGNATURE_FIELD;
    writer.write(
      field.number,
      `<</Type/${Type}/Subtype/${Subtype}/FT/${FT}/F ${F}/Rect[${Rect.join(" ")}]/T(Signature)/P ${field.page} 0 R/V ${number} 0 R>>`,
    );
    this.#target.fields.push(field.number);
    return { value, at };
  }

  async #append(
    section: Section,
    source: PDFDocument,
    title: string,
  ): Promise<void> {
    const { bookmarks, pageNumbers } = this.settings;
    const conformance = findConformance(source);
    const isSigned = removeSignatures(source);
    const signatureField =
      isSigned && this.#parts === 0 ? this.#writer.reserve() : null;
    this.#parts += 1;
    const bookmark = this.#writer.reserve();
    const copy = new DocumentCopy(
      this.#target,
      source,
      String(this.#parts).padStart(8, "0"),
      bookmarks ? bookmark : null,
      signatureField,
    );
    if (pageNumbers) this.#numbers ??= await PageNumbers.embed(this.#writer);
    const finished = copy.writePages(section, this.#numbers);
    if (signatureField !== null)
      this.#signatureField = {
        number: signatureField,
        page: finished.firstPage,
      };
    this.#conformance =
      this.#conformance?.filter((standard) => conformance.includes(standard)) ??
      conformance;
    this.#lastBox = finished.lastBox;
    if (bookmarks)
      section.bookmarks.push({
        number: bookmark,
        title,
        page: finished.firstPage,
        below: finished.bookmarks,
      });
  }

  #addBlankPage(pages: PdfPages): void {
    const body = `<</Type/Page/Parent ${pages.parent} 0 R/MediaBox${this.#lastBox}/Resources<<>>>>`;
    pages.append(this.#writer.add(body));
  }

  /** @returns how many there are */
  #writePages(sections: readonly Section[]): number {
    for (const { pages } of sections) pages.end();
    const nodes = sections.flatMap(({ pages }) => pages.nodes);
    const count = sections.reduce((sum, { pages }) => sum + pages.count, 0);
    this.#writer.write(
      this.#root,
      `<</Type/Pages/Count ${count}/Kids[${toRefs(nodes)}]>>`,
    );
    let offset = 0;
    for (const { numbered, pages } of sections) {
      for (const page of numbered)
        this.#numbers?.write(page, `${offset + page.index + 1} / ${count}`);
      offset += pages.count;
    }
    return count;
  }

  #writeBookmarks(bookmarks: readonly Bookmark[]): void {
    const writer = this.#writer;
    if (bookmarks.length === 0) return;
    for (const [index, { number, title, page, below }] of bookmarks.entries()) {
      const previous = bookmarks[index - 1];
      const next = bookmarks[index + 1];
      writer.write(
        number,
        `<</Title ${toText(title)}/Parent ${this.#outlines} 0 R/Dest[${page} 0 R/XYZ null null null]` +
          (previous ? `/Prev ${previous.number} 0 R` : "") +
          (next ? `/Next ${next.number} 0 R` : "") +
          (below
            ? `/First ${below.first} 0 R/Last ${below.last} 0 R/Count -${below.count}`
            : "") +
          ">>",
      );
    }
    const first = bookmarks[0]?.number;
    const last = bookmarks.at(-1)?.number;
    writer.write(
      this.#outlines,
      `<</Type/Outlines/First ${first} 0 R/Last ${last} 0 R/Count ${bookmarks.length}>>`,
    );
  }

  #writeNames(): string | false {
    const { destinations, attachments } = this.#target;
    const names = [
      !destinations.isEmpty && `/Dests ${destinations.end()} 0 R`,
      !attachments.isEmpty && `/EmbeddedFiles ${attachments.end()} 0 R`,
    ].filter((entry) => entry !== false);
    return names.length > 0 && `/Names<<${names.join("")}>>`;
  }

  #writeForm(): number {
    const { fields, fieldResources } = this.#target;
    const kinds = Array.from(
      fieldResources,
      ([kind, list]) => `${kind}<<${toDict(list)}>>`,
    );
    const flags = this.isSigned ? "/SigFlags 3" : "";
    return this.#writer.add(
      `<</Fields[${toRefs(fields)}]/DR<<${kinds.join("")}>>${flags}>>`,
    );
  }

  /** Entries of the catalog that the standards require, which all documents have and the file needs once. */
  #writeConformance(date: Date): string | false {
    const { conformance } = this;
    if (conformance.length === 0) return false;
    const writer = this.#writer;
    const xmp = createXmp(
      {
        title: this.settings.title,
        creator: "Platen",
        producer: "Platen",
        createdAt: date,
        modifiedAt: date,
      },
      conformance,
    );
    const metadata = writer.addStream(
      "/Type/Metadata/Subtype/XML",
      Buffer.from(xmp),
    );
    if (!isArchival(conformance)) return `/Metadata ${metadata} 0 R`;
    const profile = writer.addStream(
      "/N 3/Filter/FlateDecode",
      deflateSync(createSrgbProfile()),
    );
    return (
      `/Metadata ${metadata} 0 R/OutputIntents[<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(sRGB)` +
      `/Info(sRGB IEC61966-2.1)/DestOutputProfile ${profile} 0 R>>]`
    );
  }

  #writeTags(tags: readonly number[]): number {
    const { topTag, parents, ids, nextKey, roles, classes } = this.#target;
    const root = this.#writer.reserve();
    this.#writer.write(
      topTag,
      `<</Type/StructElem/S/Document/P ${root} 0 R/K[${toRefs(tags)}]>>`,
    );
    this.#writer.write(
      root,
      `<</Type/StructTreeRoot/K ${topTag} 0 R/ParentTree ${parents.end()} 0 R/ParentTreeNextKey ${nextKey}` +
        (ids.isEmpty ? "" : `/IDTree ${ids.end()} 0 R`) +
        (roles.size > 0 ? `/RoleMap<<${toDict(roles)}>>` : "") +
        (classes.size > 0 ? `/ClassMap<<${toDict(classes)}>>` : "") +
        ">>",
    );
    return root;
  }
}

/** Pages are counted across all documents, except in documents that have labels of their own. */
function toPageLabels(sections: readonly Section[]): string | false {
  let offset = 0;
  let hasOwn = false;
  const entries = new Map<number, string>([[0, "<</S/D>>"]]);
  for (const { labels, pages } of sections) {
    for (const { index, label } of labels) {
      const at = offset + index;
      hasOwn ||= label !== null;
      entries.set(at, label ?? `<</S/D/St ${at + 1}>>`);
    }
    offset += pages.count;
  }
  const nums = Array.from(entries, ([at, label]) => `${at} ${label}`);
  return hasOwn && `/PageLabels<</Nums[${nums.join(" ")}]>>`;
}

async function readPdf(bytes: Uint8Array): Promise<PDFDocument> {
  const source = await PDFDocument.load(bytes, {
    updateMetadata: false,
    throwOnInvalidObject: true,
    parseSpeed: ParseSpeeds.Fastest,
  });
  if (source.getPageCount() === 0) throw new Error("it has no pages");
  return source;
}

/** Other documents claim nothing that can be relied on. */
function findConformance({ catalog }: PDFDocument): Conformance[] {
  const metadata = catalog.lookup(PDFName.of("Metadata"));
  return metadata instanceof PDFRawStream
    ? readConformance(Buffer.from(metadata.getContents()).toString())
    : [];
}

function toPdfDate(date: Date): string {
  return `D:${date.toISOString().replace(/\D/g, "").slice(0, 14)}Z`;
}

function toDict(entries: ReadonlyMap<string, string>): string {
  return Array.from(entries, ([key, value]) => `${key} ${value}`).join("");
}
