import { createHash } from "node:crypto";
import {
  type PDFDocument,
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFPage,
  PDFRawStream,
  PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";
import { type PdfPages, type PdfTree, readTree } from "./pdf-trees.js";
import { type PdfWriter, toText } from "./pdf-writer.js";
import {
  type NumberedPage,
  NUMBER_FONT,
  type PageNumbers,
} from "./page-numbers.js";

// A document in a merged file. What is unique in one document but not in several is changed on the way: keys of tagged
// content, names of destinations, ids of tags, names of fields.

export interface Bookmark {
  number: number;
  title: string;
  page: number;
  /** The first and the last bookmark below it, and how many there are. */
  below: { first: number; last: number; count: number } | null;
}

/** The pages of the cover, or of all others. */
export class Section {
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
export interface Target {
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

const name = (text: string) => PDFName.of(text);

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

const AF = name("AF");

const INHERITED = ["Resources", "MediaBox", "CropBox", "Rotate"].map(name);

/** Translates a reference to an object of the source into PDF syntax. */
type Translate = (ref: PDFRef) => string;

/** Writes one document's objects into the merged file. */
export class DocumentCopy {
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
  writePages(section: Section, numbers: PageNumbers | null) {
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
        ? annotations
            .asArray()
            .map((annotation) => `${this.#unique(annotation)} `)
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
        .map((content) => this.#toSyntax(content, this.#shared))
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
    const pairs = readTree(this.#tagRoot, "ParentTree", "Nums");
    const entries = pairs.flatMap(([key, value]) =>
      key instanceof PDFNumber ? [[key.asNumber(), value] as const] : [],
    );
    this.#keys = entries.reduce((max, [key]) => Math.max(max, key + 1), 0);
    return entries.toSorted(([key], [other]) => key - other);
  }

  /** Adds names that other documents do not have, and finds others for those that mean something else there. */
  #mergeNames(
    key: PDFName,
    knownMeanings: Map<string, string>,
    renamed: Map<string, string>,
  ): void {
    const dict = this.#tagRoot && this.#getDict(this.#tagRoot, key);
    for (const [entryKey, value] of dict?.entries() ?? []) {
      const text = entryKey.toString();
      const meaning = this.#toSyntax(value, this.#shared);
      const other = knownMeanings.get(text);
      if (other === undefined || other === meaning)
        knownMeanings.set(text, meaning);
      else {
        renamed.set(text, `${text}-${this.prefix}`);
        knownMeanings.set(`${text}-${this.prefix}`, meaning);
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
    const destinations = [...old, ...readTree(names, "Dests", "Names")];
    return this.#rename(
      destinations.filter(([, value]) => {
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
      .toSorted(([key], [other]) => (key < other ? -1 : 1));
  }

  #copyList(owner: PDFDict, key: PDFName): number[] {
    const list = owner.lookup(key);
    if (!(list instanceof PDFArray)) return [];
    return list
      .asArray()
      .flatMap((item) =>
        item instanceof PDFRef ? [this.#toNumber(item)] : [],
      );
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
      const targetResources =
        fieldResources.get(kind.toString()) ?? new Map<string, string>();
      fieldResources.set(kind.toString(), targetResources);
      for (const [key, value] of dict.entries())
        if (!targetResources.has(key.toString()))
          targetResources.set(
            key.toString(),
            this.#toSyntax(value, this.#shared),
          );
    }
  }

  #copyLabels(): { index: number; label: string | null }[] {
    const labels = readTree(this.#catalog, "PageLabels", "Nums");
    if (labels.length === 0) return [{ index: 0, label: null }];
    return labels.flatMap(([key, value]) =>
      key instanceof PDFNumber
        ? [{ index: key.asNumber(), label: this.#unique(value) }]
        : [],
    );
  }

  #getDict(owner: PDFDict, key: PDFName): PDFDict | null {
    const value = owner.lookup(key);
    return value instanceof PDFDict ? value : null;
  }

  /** The number of an object, which is written with the others. */
  #toNumber(ref: PDFRef): number {
    const assigned = this.#numbers.get(ref);
    if (assigned !== undefined) return assigned;
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
    const assigned = this.#numbers.get(ref);
    if (assigned !== undefined) return `${assigned} 0 R`;
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
        .map((item) => this.#toSyntax(item, translate))
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
        const structKey = number instanceof PDFNumber ? number.asNumber() : -1;
        return structKey >= 0 && structKey < this.#keys
          ? String(structKey + this.#keyOffset)
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
    const resolved = this.#context.lookup(value);
    if (this.#classes.size === 0) return undefined;
    if (resolved instanceof PDFName)
      return this.#classes.get(resolved.toString());
    if (!(resolved instanceof PDFArray)) return undefined;
    const list = resolved.asArray().map((item) => {
      const text = this.#toSyntax(item, this.#uniqueRef);
      return this.#classes.get(text) ?? text;
    });
    return `[${list.join(" ")}]`;
  }

  #toIds(value: PDFObject): string | undefined {
    const list = this.#context.lookup(value);
    if (!(list instanceof PDFArray)) return undefined;
    const ids = list
      .asArray()
      .map((id) => this.#toName(this.#context.lookup(id)));
    return `[${ids.join(" ")}]`;
  }

  #toFieldName(value: PDFObject): string | undefined {
    const resolved = this.#context.lookup(value);
    return isText(resolved)
      ? toText(`${Number(this.prefix)}-${resolved.decodeText()}`)
      : undefined;
  }

  /** A name that no other document has, as a text. */
  #toName(ownName: PDFObject | undefined): string {
    const bytes =
      ownName instanceof PDFName
        ? Buffer.from(ownName.decodeText(), "latin1")
        : isText(ownName)
          ? Buffer.from(ownName.asBytes())
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
