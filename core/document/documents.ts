import { PlatenError } from "../contract/index.js";
import {
  Document,
  isId,
  listSlice,
  LongListCount,
  type PageRequest,
  SignatureRequest,
  type SliceRequest,
  type Store,
} from "../store/index.js";
import {
  type DocumentListView,
  documentView,
  type DocumentView,
} from "./document-view.js";
import { acceptingBatches, notIn } from "./hidden-batches.js";
import { signatureView } from "./signature-view.js";

export interface DocumentList {
  data: DocumentListView[];
  pagination: { page: number; pageSize: number; total: number };
}

export interface DocumentSlice {
  data: DocumentListView[];
  total: number;
}

/** Reads the documents of one organization; another's does not exist. */
export class Documents {
  readonly #count = new LongListCount();

  constructor(private readonly store: Pick<Store, "read">) {}

  /** The newest first. */
  async list(
    organizationId: string,
    { page, pageSize }: PageRequest,
  ): Promise<DocumentList> {
    const slice = { offset: (page - 1) * pageSize, limit: pageSize };
    const { data, total } = await this.slice(organizationId, slice);
    return { data, pagination: { page, pageSize, total } };
  }

  /** The newest first, from any of them on. */
  async slice(
    organizationId: string,
    slice: SliceRequest,
  ): Promise<DocumentSlice> {
    const { rows, total } = await listSlice(this.store.read, Document, {
      ...slice,
      where: {
        organizationId,
        ...notIn(await acceptingBatches(this.store.read)),
      },
      newestBy: "createdAt",
      counting: { by: this.#count, key: organizationId },
      relations: { createdBy: true, template: true },
      select: { template: { id: true, name: true } },
    });
    return { data: rows.map(listView), total };
  }

  /** @throws PlatenError `not_found`. */
  async get(organizationId: string, id: string): Promise<DocumentView> {
    const row = isId(id, "doc")
      ? await this.store.read.findOneBy(Document, { id, organizationId })
      : null;
    if (row) return { ...documentView(row), ...(await this.signatureOf(row)) };
    throw new PlatenError("not_found", "There is no such document.");
  }

  private async signatureOf({
    id: documentId,
    organizationId,
  }: Document): Promise<Pick<DocumentView, "signature">> {
    const row = await this.store.read.findOneBy(SignatureRequest, {
      documentId,
      organizationId,
    });
    return row === null ? {} : { signature: signatureView(row) };
  }
}

function listView(row: Document): DocumentListView {
  const { createdBy, template } = row;
  if (!createdBy || !template)
    throw new PlatenError("internal", "A document lost its template or user.");
  const { id, name, email, image } = createdBy;
  return {
    ...documentView(row),
    createdBy: { id, name, email, image },
    template: { id: template.id, name: template.name },
  };
}
