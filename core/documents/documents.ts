import type { EntityManager } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import {
  Document,
  isId,
  listSlice,
  LongListCount,
  type PageRequest,
  SignatureRequest,
  type SliceRequest,
  type Store,
} from "../storage/database/index.js";
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

  constructor(private readonly store: Pick<Store, "snapshot">) {}

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
    const { rows, total } = await this.store.snapshot(async (read) =>
      listSlice(read, Document, {
        ...slice,
        where: { organizationId, ...notIn(await acceptingBatches(read)) },
        newestBy: "createdAt",
        counting: { by: this.#count, key: organizationId },
        relations: { createdBy: true, template: true },
        select: { template: { id: true, name: true } },
      }),
    );
    return { data: rows.map(listView), total };
  }

  /** @throws PlatenError `not_found`. */
  async get(organizationId: string, id: string): Promise<DocumentView> {
    return this.store.snapshot(async (read) => {
      const row = isId(id, "doc")
        ? await read.findOneBy(Document, { id, organizationId })
        : null;
      if (row) return { ...documentView(row), ...(await signature(read, row)) };
      throw new PlatenError("not_found", "There is no such document.");
    });
  }
}

async function signature(
  read: EntityManager,
  { id: documentId, organizationId }: Document,
): Promise<Pick<DocumentView, "signature">> {
  const where = { documentId, organizationId };
  const row = await read.findOneBy(SignatureRequest, where);
  return row === null ? {} : { signature: signatureView(row) };
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
