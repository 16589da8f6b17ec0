import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import {
  ParseSpeeds,
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFPage,
  PDFRawStream,
  PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";
import { create, type Font } from "fontkit";
import subsetFont from "subset-font";
import { clock } from "../../lib/clock.js";
import type { Conformance } from "../../plugin-api/index.js";
import { readFace } from "../fonts/font-files.js";
import { createSrgbProfile } from "./color-profile.js";
import { PdfPages, PdfTree, readTree, toRefs } from "./pdf-trees.js";
import { PdfWriter } from "./pdf-writer.js";
import {
  EmptySignature,
  SIGNATURE_FIELD,
  type SignatureSpace,
} from "./pdf-signature.js";
import { removeSignatures } from "./remove-signatures.js";
import { createXmp, isArchival, readConformance } from "./xmp.js";

// Joins PDFs into one file as they arrive. Each is read as a whole, its objects are written under new numbers, and only
// what the end of the file needs is kept: the roots of its bookmarks and of its tags. What is unique in one document but
// not in several is changed on the way: keys of tagged content, names of destinations, ids of tags, names of fields.

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

interface Bookmark {
  number: number;
  title: string;
  page: number;
  /** The first and the last bookmark below it, and how many there are. */
  below: { first: number; last: number; count: number } | null;
}

/** A page whose number is drawn when the number of all pages is known. */
interface NumberedPage {
  stamp: number;
  /** Its index among those of its tree. */
  index: number;
  /** Moves the origin to the lower right corner as a reader shows it. */
  matrix: string;
}

/** The pages of the cover, or of all others. */
class Section {
  readonly numbered: NumberedPage[] = [];
  readonly bookmarks: Bookmark[] = [];
  readonly tags: number[] = [];
  /** Where page labels begin, and what they are. */
  readonly labels: { index: number; label: string | null }[] = [];

  constructor(readonly pages: PdfPages) {}
}

/** Objects that are equal in several documents are written once; of the last so many, it is known. */
const MAX_SHARED = 100_000;

/** What all documents of a merged file have in common. */
interface Target {
  writer: PdfWriter;
  /** The numbers of written objects, by their hash. */
  shared: Map<string, number>;
  /** The element that contains the top tags of all documents: readers expect one. */
  topTag: number;
  /** The next free key of tagged content. */
  nextKey: number;
  parents: PdfTree;
  ids: PdfTree;
  destinations: PdfTree;
  attachments: PdfTree;
  roles: Map<string, string>;
  classes: Map<string, string>;
  /** Associated files. */
  associated: number[];
  fields: number[];
  fieldResources: Map<string, Map<string, string>>;
  /** Entries of the catalog that the first document decides. */
  language: string | null;
  preferences: string | null;
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
      this.#conformance?.filter((one) => conformance.includes(one)) ??
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
  const metadata = catalog.lookup(name("Metadata"));
  return metadata instanceof PDFRawStream
    ? readConformance(Buffer.from(metadata.getContents()).toString())
    : [];
}

const NUMBER_FONT = "PlatenPageNumber";
const NUMBER_SIZE = 7;
/** An upper bound of the width of one character, in points. */
const NUMBER_WIDTH = NUMBER_SIZE * 0.52;
const NUMBER_CHARACTERS = "0123456789/ ";

/** Writes the numbers of pages, in a font with the characters of numbers only. */
class PageNumbers {
  private constructor(
    private readonly writer: PdfWriter,
    /** The number of the font. */
    readonly font: number,
    /** Contents may leave the coordinate system changed, so they are put between this stream and that of the number. */
    readonly isolate: number,
    /** The codes of characters, in hexadecimal digits. */
    private readonly codes: ReadonlyMap<string, string>,
  ) {}

  static async embed(writer: PdfWriter): Promise<PageNumbers> {
    const file = await readFace("inter-400Regular.ttf");
    const bytes = await subsetFont(file, NUMBER_CHARACTERS, {
      targetFormat: "truetype",
    });
    const font = create(bytes);
    if (!("glyphForCodePoint" in font))
      throw new Error("a collection of fonts");
    const characters = Array.from(NUMBER_CHARACTERS, (character) => {
      const { id, advanceWidth } = font.glyphForCodePoint(
        character.codePointAt(0) ?? 0,
      );
      return { character, id, advanceWidth };
    });
    return new PageNumbers(
      writer,
      writeFont(writer, font, bytes, characters),
      writer.addStream("", Buffer.from("q\n")),
      new Map(characters.map(({ character, id }) => [character, toHex(id)])),
    );
  }

  write({ stamp, matrix }: NumberedPage, text: string): void {
    // The font's digits all have the same width.
    const right = 24 + text.length * NUMBER_WIDTH;
    const codes = Array.from(text, (one) => this.codes.get(one) ?? "").join("");
    this.writer.writeStream(
      stamp,
      "",
      Buffer.from(
        `\nQ\nq ${matrix} cm /Artifact<</Type/Pagination/Subtype/Footer>>BDC BT /${NUMBER_FONT} ${NUMBER_SIZE} Tf 0.35 g ` +
          `-${right.toFixed(2)} 12 Td <${codes}> Tj ET EMC Q\n`,
      ),
    );
  }
}

/** Codes are the numbers of glyphs, which need no table in the font. */
function writeFont(
  writer: PdfWriter,
  font: Font,
  bytes: Buffer,
  characters: readonly {
    character: string;
    id: number;
    advanceWidth: number;
  }[],
): number {
  const scale = 1000 / font.unitsPerEm;
  const toUnits = (length: number) => Math.round(length * scale);
  const { bbox } = font;
  const box = [bbox.minX, bbox.minY, bbox.maxX, bbox.maxY].map(toUnits);
  const name = "/PLATEN+PageNumber";
  const program = writer.addStream(`/Length1 ${bytes.length}`, bytes);
  const descriptor = writer.add(
    `<</Type/FontDescriptor/FontName${name}/Flags 4/FontBBox[${box.join(" ")}]/ItalicAngle 0/Ascent ${toUnits(font.ascent)}` +
      `/Descent ${toUnits(font.descent)}/CapHeight ${toUnits(font.capHeight)}/StemV 80/FontFile2 ${program} 0 R>>`,
  );
  const widths = characters.map(
    ({ id, advanceWidth }) => `${id}[${toUnits(advanceWidth)}]`,
  );
  const glyphs = writer.add(
    `<</Type/Font/Subtype/CIDFontType2/BaseFont${name}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>` +
      `/CIDToGIDMap/Identity/DW 0/W[${widths.join("")}]/FontDescriptor ${descriptor} 0 R>>`,
  );
  const map = characters.map(
    ({ character, id }) =>
      `<${toHex(id)}> <${toHex(character.charCodeAt(0))}>\n`,
  );
  const unicode = writer.addStream(
    "",
    Buffer.from(
      "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n" +
        "/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def\n1 begincodespacerange\n<0000> <FFFF>\n" +
        `endcodespacerange\n${map.length} beginbfchar\n${map.join("")}endbfchar\nendcmap\n` +
        "CMapName currentdict /CMap defineresource pop\nend\nend",
    ),
  );
  return writer.add(
    `<</Type/Font/Subtype/Type0/BaseFont${name}/Encoding/Identity-H/DescendantFonts[${glyphs} 0 R]/ToUnicode ${unicode} 0 R>>`,
  );
}

/** Two bytes. */
function toHex(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, "0");
}

const name = (text: string) => PDFName.of(text);
const AF = name("AF");
const ANNOTS = name("Annots");
const CONTENTS = name("Contents");
const FIELDS = name("Fields");
const FONT = name("Font");
const LANG = name("Lang");
const NAMES = name("Names");
const OUTLINES = name("Outlines");
const OWNER = name("O");
const PARENT = name("P");
const RESOURCES = name("Resources");
const TAGS = name("K");
const TAG_ROOT = name("StructTreeRoot");
const TYPE = name("S");
const INHERITED = ["Resources", "MediaBox", "CropBox", "Rotate"].map(name);

interface CopiedDocument {
  firstPage: number;
  lastBox: string;
  bookmarks: Bookmark["below"];
}

/** Translates a reference to an object of the source into PDF syntax. */
type Translate = (ref: PDFRef) => string;

/** Writes one document's objects into the merged file. */
class DocumentCopy {
  readonly #context: PDFContext;
  readonly #catalog: PDFDict;
  readonly #pages: PDFPage[];
  /** The new numbers of its objects. */
  readonly #numbers = new Map<PDFRef, number>();
  /** Objects that have a number and are not written yet. */
  readonly #waiting: PDFRef[] = [];
  /** Shared objects that are being written. */
  readonly #open = new Set<PDFRef>();
  readonly #tagRoot: PDFDict | null;
  readonly #keyOffset: number;
  /** How many keys of tagged content it has. */
  #keys = 0;
  readonly #roles = new Map<string, string>();
  readonly #classes = new Map<string, string>();
  readonly #fields = new Set<PDFObject>();

  /**
   * @param prefix distinguishes its names from those of other documents; greater than all before
   * @param bookmark the number of its bookmark, below which its own are placed; null when they are left out
   * @param signatureField the number of an annotation that is added to its first page; null for none
   */
  constructor(
    private readonly target: Target,
    source: PDFDocument,
    private readonly prefix: string,
    private readonly bookmark: number | null,
    private readonly signatureField: number | null,
  ) {
    this.#context = source.context;
    this.#catalog = source.catalog;
    this.#pages = source.getPages();
    this.#tagRoot = this.#getDict(source.catalog, TAG_ROOT);
    this.#keyOffset = target.nextKey;
    for (const { ref } of this.#pages)
      this.#numbers.set(ref, target.writer.reserve());
    const tagRoot = source.catalog.get(TAG_ROOT);
    if (tagRoot instanceof PDFRef) this.#numbers.set(tagRoot, target.topTag);
  }

  /** @param numbers null when pages show no number */
  writePages(section: Section, numbers: PageNumbers | null): CopiedDocument {
    const parents = this.#readParents();
    this.#mergeNames(name("RoleMap"), this.target.roles, this.#roles);
    this.#mergeNames(name("ClassMap"), this.target.classes, this.#classes);
    this.#noteFields();
    // First everything that may fail, then what all documents share.
    const written = this.#pages.map((page) => this.#toPage(page, numbers));
    const bookmarks = this.#copyBookmarks();
    const tags = this.#copyTags();
    const keys = parents.map(
      ([key, value]) =>
        [String(key + this.#keyOffset), this.#unique(value)] as const,
    );
    const ids = this.#rename(readTree(this.#tagRoot, "IDTree", "Names"));
    const destinations = this.#copyDestinations();
    const names = this.#getDict(this.#catalog, NAMES);
    const files = readTree(names, "EmbeddedFiles", "Names");
    const attachments = this.#rename(files);
    const associated = this.#copyList(this.#catalog, AF);
    const form = this.#copyForm();
    const preferences = this.#catalog.get(name("ViewerPreferences"));
    const firstPreferences =
      this.target.preferences ?? (preferences && this.#unique(preferences));
    const labels = this.#copyLabels();
    this.#writeWaiting();

    const { writer } = this.target;
    const { pages } = section;
    for (const { index, label } of labels)
      section.labels.push({ index: pages.count + index, label });
    for (const { number, body, numbered } of written) {
      if (numbered) section.numbered.push({ ...numbered, index: pages.count });
      writer.write(number, `<<${body}/Parent ${pages.parent} 0 R>>`);
      pages.append(number);
    }
    section.tags.push(...tags);
    this.target.nextKey += this.#keys;
    this.target.parents.add(keys);
    this.target.ids.add(ids);
    this.target.destinations.add(destinations);
    this.target.attachments.add(attachments);
    this.target.associated.push(...associated);
    this.target.fields.push(...form.fields);
    this.#mergeFieldResources(form.resources);
    this.target.preferences ??= firstPreferences ?? null;
    const language = this.#catalog.lookup(LANG);
    if (language !== undefined) this.target.language ??= language.toString();
    return {
      firstPage: written[0]?.number ?? 0,
      lastBox: written.at(-1)?.box ?? "",
      bookmarks,
    };
  }

  /** The page without its parent, and where its number is drawn. */
  #toPage(
    page: PDFPage,
    numbers: PageNumbers | null,
  ): {
    number: number;
    body: string;
    box: string;
    numbered: Omit<NumberedPage, "index"> | null;
  } {
    const { node, ref } = page;
    const number = this.#numbers.get(ref) ?? 0;
    const entries = new Map<PDFName, PDFObject>(node.entries());
    for (const key of INHERITED) {
      const value = entries.get(key) ?? node.getInheritableAttribute(key);
      if (value) entries.set(key, value);
    }
    entries.delete(name("Parent"));
    // Points to an article thread that is not copied.
    entries.delete(name("B"));
    const box = toBox(page);
    const signature =
      page === this.#pages[0] ? this.#addSignatureField(entries) : "";
    if (numbers === null)
      return {
        number,
        body: this.#toEntries(entries, node) + signature,
        box: box.text,
        numbered: null,
      };
    const contents = entries.get(CONTENTS);
    const resources = entries.get(RESOURCES);
    entries.delete(CONTENTS);
    entries.delete(RESOURCES);
    const drawn = this.#listContents(contents);
    const written = this.target.writer.reserve();
    const body =
      this.#toEntries(entries, node) +
      signature +
      `/Contents[${numbers.isolate} 0 R ${drawn} ${written} 0 R]` +
      `/Resources<<${this.#addFont(resources, numbers.font)}>>`;
    return {
      number,
      body,
      box: box.text,
      numbered: { stamp: written, matrix: box.matrix },
    };
  }

  /** @returns entries of the page that replace those that are taken out */
  #addSignatureField(entries: Map<PDFName, PDFObject>): string {
    if (this.signatureField === null) return "";
    const annotations = this.#context.lookup(entries.get(ANNOTS));
    entries.delete(ANNOTS);
    const others =
      annotations instanceof PDFArray
        ? annotations.asArray().map((one) => `${this.#unique(one)} `)
        : [];
    const list = `/Annots[${others.join("")}${this.signatureField} 0 R]`;
    if (this.#tagRoot === null) return list;
    entries.delete(name("Tabs"));
    return `${list}/Tabs/S`;
  }

  #listContents(contents: PDFObject | undefined): string {
    const list = this.#context.lookup(contents);
    if (list instanceof PDFArray)
      return list
        .asArray()
        .map((one) => this.#toSyntax(one, this.#shared))
        .join(" ");
    return list === undefined || contents === undefined
      ? ""
      : this.#toSyntax(contents, this.#shared);
  }

  #addFont(resources: PDFObject | undefined, font: number): string {
    const dict = this.#context.lookup(resources);
    const entries = new Map(dict instanceof PDFDict ? dict.entries() : []);
    const fonts = this.#context.lookup(entries.get(FONT));
    entries.delete(FONT);
    const others =
      fonts instanceof PDFDict
        ? this.#toEntries(fonts.entries(), null, this.#shared)
        : "";
    return (
      this.#toEntries(entries, null, this.#shared) +
      `/Font<<${others}/${NUMBER_FONT} ${font} 0 R>>`
    );
  }

  /** Reads the parents of tagged content, and how many keys there are. */
  #readParents(): (readonly [key: number, value: PDFObject])[] {
    const found = readTree(this.#tagRoot, "ParentTree", "Nums");
    const entries = found.flatMap(([key, value]) =>
      key instanceof PDFNumber ? [[key.asNumber(), value] as const] : [],
    );
    this.#keys = entries.reduce((max, [key]) => Math.max(max, key + 1), 0);
    return entries.toSorted(([one], [other]) => one - other);
  }

  /** Adds names that other documents do not have, and finds others for those that mean something else there. */
  #mergeNames(
    key: PDFName,
    known: Map<string, string>,
    renamed: Map<string, string>,
  ): void {
    const own = this.#tagRoot && this.#getDict(this.#tagRoot, key);
    for (const [one, value] of own?.entries() ?? []) {
      const text = one.toString();
      const meaning = this.#toSyntax(value, this.#shared);
      const other = known.get(text);
      if (other === undefined || other === meaning) known.set(text, meaning);
      else {
        renamed.set(text, `${text}-${this.prefix}`);
        known.set(`${text}-${this.prefix}`, meaning);
      }
    }
  }

  /** The top elements say their language, since another document may decide that of the file. */
  #copyTags(): number[] {
    const root = this.#tagRoot;
    if (root === null) return [];
    const kids = root.get(TAGS);
    const list = this.#context.lookup(kids);
    const tops = list instanceof PDFArray ? list.asArray() : kids ? [kids] : [];
    const language = this.#catalog.get(LANG);
    return tops.flatMap((top) => {
      const element = this.#context.lookup(top);
      if (!(top instanceof PDFRef) || !(element instanceof PDFDict)) return [];
      if (language && !element.has(LANG)) element.set(LANG, language);
      return [this.#toNumber(top)];
    });
  }

  #copyBookmarks(): Bookmark["below"] {
    const ref = this.#catalog.get(OUTLINES);
    const outlines = this.#getDict(this.#catalog, OUTLINES);
    if (this.bookmark === null || outlines === null) return null;
    const first = outlines.get(name("First"));
    const last = outlines.get(name("Last"));
    if (!(first instanceof PDFRef) || !(last instanceof PDFRef)) return null;
    if (ref instanceof PDFRef) this.#numbers.set(ref, this.bookmark);
    const count = outlines.lookup(name("Count"));
    return {
      first: this.#toNumber(first),
      last: this.#toNumber(last),
      count: Math.abs(count instanceof PDFNumber ? count.asNumber() : 1) || 1,
    };
  }

  #copyDestinations(): (readonly [string, string])[] {
    const old = this.#getDict(this.#catalog, name("Dests"))?.entries() ?? [];
    const names = this.#getDict(this.#catalog, NAMES);
    const found = [...old, ...readTree(names, "Dests", "Names")];
    return this.#rename(
      found.filter(([, value]) => {
        const place = this.#context.lookup(value);
        const list = place instanceof PDFDict ? place.lookup(name("D")) : place;
        const page = list instanceof PDFArray ? list.get(0) : undefined;
        return page instanceof PDFRef && this.#numbers.has(page);
      }),
    );
  }

  /** Entries of a name tree with new names, sorted. */
  #rename(
    entries: readonly (readonly [PDFObject, PDFObject])[],
  ): (readonly [string, string])[] {
    return entries
      .map(([key, value]) => [this.#toName(key), this.#unique(value)] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1));
  }

  #copyList(owner: PDFDict, key: PDFName): number[] {
    const list = owner.lookup(key);
    if (!(list instanceof PDFArray)) return [];
    return list
      .asArray()
      .flatMap((one) => (one instanceof PDFRef ? [this.#toNumber(one)] : []));
  }

  /** The top fields, whose names get the prefix. */
  #noteFields(): void {
    const form = this.#getDict(this.#catalog, name("AcroForm"));
    const fields = form?.lookup(FIELDS);
    if (fields instanceof PDFArray)
      for (const ref of fields.asArray()) {
        const field = this.#context.lookup(ref);
        if (field) this.#fields.add(field);
      }
  }

  #copyForm(): { fields: number[]; resources: PDFDict | null } {
    const form = this.#getDict(this.#catalog, name("AcroForm"));
    if (form === null) return { fields: [], resources: null };
    const appearance = form.get(name("DA"));
    for (const field of this.#fields)
      if (appearance && field instanceof PDFDict && !field.has(name("DA")))
        field.set(name("DA"), appearance);
    return {
      fields: this.#copyList(form, FIELDS),
      resources: this.#getDict(form, name("DR")),
    };
  }

  #mergeFieldResources(resources: PDFDict | null): void {
    for (const [kind, list] of resources?.entries() ?? []) {
      const dict = this.#context.lookup(list);
      if (!(dict instanceof PDFDict)) continue;
      const { fieldResources } = this.target;
      const known =
        fieldResources.get(kind.toString()) ?? new Map<string, string>();
      fieldResources.set(kind.toString(), known);
      for (const [key, value] of dict.entries())
        if (!known.has(key.toString()))
          known.set(key.toString(), this.#toSyntax(value, this.#shared));
    }
  }

  #copyLabels(): { index: number; label: string | null }[] {
    const found = readTree(this.#catalog, "PageLabels", "Nums");
    if (found.length === 0) return [{ index: 0, label: null }];
    return found.flatMap(([key, value]) =>
      key instanceof PDFNumber
        ? [{ index: key.asNumber(), label: this.#unique(value) }]
        : [],
    );
  }

  #getDict(owner: PDFDict, key: PDFName): PDFDict | null {
    const found = owner.lookup(key);
    return found instanceof PDFDict ? found : null;
  }

  /** The number of an object, which is written with the others. */
  #toNumber(ref: PDFRef): number {
    const known = this.#numbers.get(ref);
    if (known !== undefined) return known;
    const number = this.target.writer.reserve();
    this.#numbers.set(ref, number);
    this.#waiting.push(ref);
    return number;
  }

  #unique(object: PDFObject): string {
    return this.#toSyntax(object, this.#uniqueRef);
  }

  /** For objects that belong to this document alone, such as its tags, which refer to each other. */
  readonly #uniqueRef: Translate = (ref) =>
    this.#context.lookup(ref) === undefined
      ? "null"
      : `${this.#toNumber(ref)} 0 R`;

  /** For objects that documents have in common, such as fonts and images: what they refer to is written first. */
  readonly #shared: Translate = (ref) => {
    const known = this.#numbers.get(ref);
    if (known !== undefined) return `${known} 0 R`;
    const object = this.#context.lookup(ref);
    if (object === undefined) return "null";
    const { writer, shared } = this.target;
    if (this.#open.has(ref)) {
      // A cycle: such objects are never equal.
      const number = writer.reserve();
      this.#numbers.set(ref, number);
      return `${number} 0 R`;
    }
    this.#open.add(ref);
    const body = this.#toBody(object, this.#shared);
    this.#open.delete(ref);
    const inCycle = this.#numbers.get(ref);
    const hash = hashBody(body);
    const same = inCycle === undefined ? shared.get(hash) : undefined;
    const number = same ?? inCycle ?? writer.reserve();
    this.#numbers.set(ref, number);
    if (same === undefined) this.#write(number, body);
    if (inCycle !== undefined) return `${number} 0 R`;
    shared.delete(hash);
    shared.set(hash, number);
    if (shared.size > MAX_SHARED) {
      const [oldest = ""] = shared.keys();
      shared.delete(oldest);
    }
    return `${number} 0 R`;
  };

  #writeWaiting(): void {
    for (let ref = this.#waiting.pop(); ref; ref = this.#waiting.pop()) {
      const object = this.#context.lookup(ref);
      const number = this.#numbers.get(ref);
      if (object && number !== undefined)
        this.#write(number, this.#toBody(object, this.#uniqueRef));
    }
  }

  #write(number: number, { text, bytes }: Body): void {
    const { writer } = this.target;
    if (bytes === null) writer.write(number, text);
    else writer.writeStream(number, text, bytes);
  }

  #toBody(object: PDFObject, translate: Translate): Body {
    if (!(object instanceof PDFRawStream))
      return { text: this.#toSyntax(object, translate), bytes: null };
    const entries = object.dict
      .entries()
      .filter(([key]) => key !== PDFName.Length);
    return {
      text: this.#toEntries(entries, object.dict, translate),
      bytes: object.getContents(),
    };
  }

  #toSyntax(object: PDFObject, translate: Translate): string {
    if (object instanceof PDFRef) return translate(object);
    if (object instanceof PDFDict)
      return `<<${this.#toEntries(object.entries(), object, translate)}>>`;
    if (object instanceof PDFArray)
      return `[${object
        .asArray()
        .map((one) => this.#toSyntax(one, translate))
        .join(" ")}]`;
    return object.toString();
  }

  /** @param owner decides which entries are changed; null for none */
  #toEntries(
    entries: Iterable<readonly [PDFName, PDFObject]>,
    owner: PDFDict | null,
    translate: Translate = this.#uniqueRef,
  ): string {
    let text = "";
    for (const [key, value] of entries) {
      const changed =
        owner === null ? undefined : this.#change(owner, key, value);
      if (changed === null) continue;
      const within =
        key === RESOURCES || key === CONTENTS ? this.#shared : translate;
      text += `${key.toString()} ${changed ?? this.#toSyntax(value, within)}`;
    }
    return text;
  }

  /** @returns the new value of an entry that is unique in one document only; null to leave it out, undefined to keep it */
  #change(
    owner: PDFDict,
    key: PDFName,
    value: PDFObject,
  ): string | null | undefined {
    switch (key.toString()) {
      case "/StructParent":
      case "/StructParents": {
        const number = this.#context.lookup(value);
        const own = number instanceof PDFNumber ? number.asNumber() : -1;
        return own >= 0 && own < this.#keys
          ? String(own + this.#keyOffset)
          : null;
      }
      case "/Dest":
        return this.#toDestination(value);
      case "/D":
        return owner.lookup(TYPE) === name("GoTo")
          ? this.#toDestination(value)
          : undefined;
      case "/S":
        return isTag(owner) ? this.#roles.get(value.toString()) : undefined;
      case "/C":
        return isTag(owner) ? this.#toClasses(value) : undefined;
      case "/ID":
        return isTag(owner)
          ? this.#toName(this.#context.lookup(value))
          : undefined;
      case "/Headers":
        return owner.lookup(OWNER) === name("Table")
          ? this.#toIds(value)
          : undefined;
      case "/T":
        return this.#fields.has(owner) ? this.#toFieldName(value) : undefined;
      default:
        return undefined;
    }
  }

  /** Undefined for a place that is not named. */
  #toDestination(value: PDFObject): string | undefined {
    const place = this.#context.lookup(value);
    return place instanceof PDFName || isText(place)
      ? this.#toName(place)
      : undefined;
  }

  #toClasses(value: PDFObject): string | undefined {
    const found = this.#context.lookup(value);
    if (this.#classes.size === 0) return undefined;
    if (found instanceof PDFName) return this.#classes.get(found.toString());
    if (!(found instanceof PDFArray)) return undefined;
    const list = found.asArray().map((one) => {
      const text = this.#toSyntax(one, this.#uniqueRef);
      return this.#classes.get(text) ?? text;
    });
    return `[${list.join(" ")}]`;
  }

  #toIds(value: PDFObject): string | undefined {
    const list = this.#context.lookup(value);
    if (!(list instanceof PDFArray)) return undefined;
    const ids = list
      .asArray()
      .map((one) => this.#toName(this.#context.lookup(one)));
    return `[${ids.join(" ")}]`;
  }

  #toFieldName(value: PDFObject): string | undefined {
    const found = this.#context.lookup(value);
    return isText(found)
      ? toText(`${Number(this.prefix)}-${found.decodeText()}`)
      : undefined;
  }

  /** A name that no other document has, as a text. */
  #toName(own: PDFObject | undefined): string {
    const bytes =
      own instanceof PDFName
        ? Buffer.from(own.decodeText(), "latin1")
        : isText(own)
          ? Buffer.from(own.asBytes())
          : Buffer.alloc(0);
    return `<${Buffer.from(`${this.prefix}.`).toString("hex")}${bytes.toString("hex")}>`;
  }
}

interface Body {
  /** Of a stream, the entries of its dictionary. */
  text: string;
  bytes: Uint8Array | null;
}

function hashBody({ text, bytes }: Body): string {
  const hash = createHash("sha256").update(text, "latin1");
  if (bytes) hash.update("\0").update(bytes);
  return hash.digest("base64url");
}

function isText(
  object: PDFObject | undefined,
): object is PDFString | PDFHexString {
  return object instanceof PDFString || object instanceof PDFHexString;
}

/** A structure element has a type and a parent (ISO 32000-1, 14.7.2). */
function isTag(dict: PDFDict): boolean {
  return dict.has(PARENT) && dict.has(TYPE);
}

/** The paper of a page, and its lower right corner as a reader shows it. */
function toBox(page: PDFPage): { text: string; matrix: string } {
  const media = page.getMediaBox();
  const { x, y, width, height } = page.getCropBox();
  const turn = ((page.getRotation().angle % 360) + 360) % 360;
  const corners: Record<number, string> = {
    90: `0 1 -1 0 ${x + width} ${y + height}`,
    180: `-1 0 0 -1 ${x} ${y + height}`,
    270: `0 -1 1 0 ${x} ${y}`,
  };
  return {
    text: `[${media.x} ${media.y} ${media.x + media.width} ${media.y + media.height}]`,
    matrix: corners[turn] ?? `1 0 0 1 ${x + width} ${y}`,
  };
}

/** UTF-16, as a hexadecimal string. */
function toText(text: string): string {
  return PDFHexString.fromText(text).toString();
}

function toPdfDate(date: Date): string {
  return `D:${date.toISOString().replace(/\D/g, "").slice(0, 14)}Z`;
}

function toDict(entries: ReadonlyMap<string, string>): string {
  return Array.from(entries, ([key, value]) => `${key} ${value}`).join("");
}
