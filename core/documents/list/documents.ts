import {
  Between,
  type EntityManager,
  In,
  type FindOptionsWhere,
  MoreThanOrEqual,
  Not,
  Raw,
} from "typeorm";
import { PlatenError } from "../../plugin-api/index.js";
import {
  Document,
  hasJsonValues,
  isSqlite,
  isId,
  listAfter,
  ListCounts,
  listSlice,
  type PageRequest,
  SignatureRequest,
  type SliceRequest,
  type Store,
  toLikePattern,
  Batch,
  Template,
  STORE,
  type DocumentStatus,
} from "../../storage/database/index.js";
import { inject, Lifecycle, scoped } from "../../lib/injection.js";
import { toSignatureView } from "../render/signing.js";
import {
  type DocumentView,
  findDeliveries,
  findPendingWriteBacks,
  toDocumentView,
  toListViews,
} from "./document-view.js";

/** Reads the documents of one organization; those of others are treated as missing. */
@scoped(Lifecycle.ContainerScoped)
export class Documents {
  constructor(@inject(STORE) private readonly store: Pick<Store, "snapshot">) {}

  /** Newest first. */
  async list(
    organizationId: string,
    { page, pageSize, ...filter }: PageRequest & DocumentFilter,
  ) {
    const slice = { offset: (page - 1) * pageSize, limit: pageSize };
    const result = await this.slice(organizationId, { ...slice, ...filter });
    const { data, total } = result;
    return { data, pagination: { page, pageSize, total } };
  }

  /**
   * Newest first: those that follow the document `after`, or the newest ones when it is empty. `next` is the `after` of
   * what follows; null at the end.
   * @throws PlatenError `invalid_request` when there is no such document.
   */
  async listAfter(
    organizationId: string,
    {
      after: id,
      pageSize,
      ...filter
    }: { after: string; pageSize: number } & DocumentFilter,
  ) {
    return this.store.snapshot(async (read) => {
      const after =
        id === ""
          ? null
          : await read.findOneBy(Document, { id, organizationId });
      if (id !== "" && !after)
        throw new PlatenError(
          "invalid_request",
          "Invalid query: after: there is no such document. Use the `next` of the response before, or leave the value empty to begin with the newest document.",
        );
      const { rows, hasMore } = await listAfter(read, Document, {
        after,
        limit: pageSize,
        ...(await createListing(read, organizationId, filter)),
      });
      const data = await toListViews(read, rows);
      const next = hasMore ? (rows.at(-1)?.id ?? null) : null;
      return { data, pagination: { pageSize, next } };
    });
  }

  /** Newest first, from an offset on. */
  async slice(
    organizationId: string,
    { offset, limit, ...filter }: SliceRequest & DocumentFilter,
  ) {
    return this.store.snapshot(async (read) => {
      const { rows, total } = await listSlice(read, Document, {
        offset,
        limit,
        ...(await createListing(read, organizationId, filter)),
      });
      return { data: await toListViews(read, rows), total };
    });
  }

  /** @throws PlatenError `not_found`. */
  async get(organizationId: string, id: string): Promise<DocumentView> {
    return this.store.snapshot(async (read) => {
      const row = isId(id, "doc")
        ? await read.findOneBy(Document, { id, organizationId })
        : null;
      if (!row)
        throw new PlatenError("not_found", "There is no such document.");
      const signature = await read.findOneBy(SignatureRequest, {
        documentId: id,
        organizationId,
      });
      const pending = await findPendingWriteBacks(read, [row]);
      const deliveries = await findDeliveries(read, id);
      return {
        ...toDocumentView(row, pending.get(id)),
        ...(deliveries.length > 0 && { deliveries }),
        ...(signature && { signature: toSignatureView(signature) }),
      };
    });
  }
}

/** Which documents are listed; what is left out does not matter. */
export interface DocumentFilter {
  statuses?: readonly DocumentStatus[] | undefined;
  templateId?: string | undefined;
  batchId?: string | undefined;
  /** The first and the last moment of their creation. */
  createdFrom?: Date | undefined;
  createdTo?: Date | undefined;
  /** A part of the file name, the template's name or the error, or the id. */
  text?: string | undefined;
  /** What their metadata has, all of it; other values than text are compared as JSON writes them. */
  metadata?: Readonly<Record<string, string>> | undefined;
}

/** What all lists of documents have in common: batches that are still being accepted are hidden. */
export async function createListing(
  read: EntityManager,
  organizationId: string,
  filter: DocumentFilter,
) {
  const { statuses, templateId, batchId, metadata, text } = filter;
  const { createdFrom = new Date(0), createdTo } = filter;
  const accepting =
    batchId === undefined
      ? await findAcceptingBatches(read, organizationId)
      : [];
  const filtered: FindOptionsWhere<Document> = {
    ...(batchId === undefined
      ? { organizationId }
      : await inBatch(read, organizationId, batchId)),
    ...(statuses && { status: In(statuses) }),
    ...(templateId !== undefined && { templateId }),
    ...((filter.createdFrom ?? createdTo) && {
      createdAt: createdTo
        ? Between(createdFrom, createdTo)
        : MoreThanOrEqual(createdFrom),
    }),
    ...(metadata && { metadata: hasJsonValues(read, metadata) }),
  };
  const where = { ...filtered, ...notIn(accepting) };
  const newestBy = "createdAt" as const;
  const isStored =
    batchId === undefined &&
    filter.createdFrom === undefined &&
    createdTo === undefined &&
    metadata === undefined &&
    !statuses?.some((status) => unfinished.includes(status));
  const countShown = async () => {
    const total = isStored
      ? await countStored(read, organizationId, filter)
      : await read.countBy(Document, filtered);
    return total - (await countHidden(read, filtered, accepting));
  };
  return {
    ...(text === undefined
      ? { where, count: countShown }
      : {
          where: await withText(read, organizationId, where, {
            ...filter,
            text,
          }),
        }),
    newestBy,
    relations: { createdBy: true, template: true },
    select: { template: { id: true, name: true } },
  };
}

const unfinished: readonly DocumentStatus[] = ["queued", "rendering"];

/** The totals of lists of documents; a document with a final status no longer changes. */
export const documentCounts = new ListCounts({
  name: "document",
  entity: Document,
  filters: ["status", "templateId"],
  findUnsettled: async (read, organizationId) => {
    const unsettled: { createdAt: Date }[] = await findAcceptingBatches(
      read,
      organizationId,
    );
    // One at a time: the index of each status has the order.
    for (const status of unfinished)
      unsettled.push(
        ...(await read.find(Document, {
          where: { organizationId, status },
          select: { id: true, createdAt: true },
          order: { createdAt: "ASC", id: "ASC" },
          take: 1,
        })),
      );
    if (unsettled.length === 0) return null;
    return new Date(Math.min(...unsettled.map((row) => Number(row.createdAt))));
  },
});

/** The documents with one of the statuses, and of the template. */
async function countStored(
  read: EntityManager,
  organizationId: string,
  { statuses = [], templateId }: DocumentFilter,
): Promise<number> {
  const ofTemplate = { ...(templateId !== undefined && { templateId }) };
  const filters = [...new Set(statuses)].map((status) => ({
    ...ofTemplate,
    status,
  }));
  let total = 0;
  for (const filter of statuses.length > 0 ? filters : [ofTemplate])
    total += await documentCounts.count(read, organizationId, filter);
  return total;
}

/** The documents of a filter that are hidden. The index of lists does not have the batch, so they are counted by theirs. */
async function countHidden(
  read: EntityManager,
  filtered: FindOptionsWhere<Document>,
  batches: readonly Pick<Batch, "id">[],
): Promise<number> {
  if (batches.length === 0) return 0;
  const batchId = In(batches.map(({ id }) => id));
  return read.countBy(Document, { ...filtered, batchId });
}

const maxTemplates = 1000;
/** A search lists the newest of more. */
const maxMatches = 1000;
/** One that succeeded has no error: those are most, and are not read for it. */
const withError: readonly DocumentStatus[] = [
  "queued",
  "rendering",
  "failed",
  "expired",
];

/**
 * The documents of a filter that contain a text, at most 1,000. Each place where it may be is searched by an index that
 * has the place: rows are wide, and reading all of them takes seconds where an index takes milliseconds.
 */
async function withText(
  read: EntityManager,
  organizationId: string,
  where: FindOptionsWhere<Document>,
  { text, statuses = withError }: { text: string } & DocumentFilter,
): Promise<FindOptionsWhere<Document>> {
  const lower = toLikePattern(text.toLowerCase());
  const templates = await read.find(Template, {
    where: {
      organizationId,
      searchName: Raw((column) => `${column} LIKE :lower ESCAPE '!'`, {
        lower,
      }),
    },
    select: { id: true },
    take: maxTemplates,
  });
  const templateIds = templates
    .map(({ id }) => id)
    .filter((id) => (where.templateId ?? id) === id);
  const contained = containsText(read, text);
  const places: FindOptionsWhere<Document>[] = [
    { fileName: contained },
    // One at a time, so that the index of each status has the order, too.
    ...withError
      .filter((status) => statuses.includes(status))
      .map((status) => ({ error: contained, status })),
    { id: text },
    ...templateIds.map((templateId) => ({ templateId })),
  ];
  const matches: Pick<Document, "id" | "createdAt">[] = [];
  for (const place of places)
    matches.push(
      ...(await read.find(Document, {
        where: { ...where, ...place },
        select: { id: true, createdAt: true },
        order: { createdAt: "DESC", id: "DESC" },
        take: maxMatches,
      })),
    );
  const newest = matches
    .toSorted(
      (match, other) => Number(other.createdAt) - Number(match.createdAt),
    )
    .map(({ id }) => id);
  return { id: In([...new Set(newest)].slice(0, maxMatches)) };
}

/**
 * Ignores the case. SQLite does so by itself for the letters of ASCII, and for no others. Elsewhere, a collation that finds
 * more rows takes a fraction of the time of LOWER, which so has to decide on few.
 */
function containsText(read: EntityManager, text: string) {
  const pattern = toLikePattern(text);
  const lower = toLikePattern(text.toLowerCase());
  return Raw(
    (column) => {
      const condition = like(`LOWER(${column})`, "lower");
      if (!isAscii(text)) return `(${condition} OR ${like(column, "pattern")})`;
      return isSqlite(read)
        ? like(column, "lower")
        : `(${like(`${column} COLLATE utf8mb4_general_ci`, "lower")} AND ${condition})`;
    },
    { pattern, lower },
  );
}

function like(column: string, name: string): string {
  return `${column} LIKE :${name} ESCAPE '!'`;
}

function isAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

/**
 * A filter for the documents of a batch, which all belong to its organization: with that in the filter too, SQLite would
 * walk through all of the organization's documents.
 */
export async function inBatch(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<FindOptionsWhere<Document>> {
  const status = Not("accepting" as const);
  const isListed = await read.existsBy(Batch, { id, organizationId, status });
  return { batchId: isListed ? id : In([]) };
}

/** Batches that are still hidden, since not all of their documents are written. */
export async function findAcceptingBatches(
  read: EntityManager,
  organizationId?: string,
): Promise<Pick<Batch, "id" | "createdAt">[]> {
  return read.find(Batch, {
    where: {
      status: "accepting",
      ...(organizationId !== undefined && { organizationId }),
    },
    select: { id: true, createdAt: true },
  });
}

export function notIn(
  batches: readonly Pick<Batch, "id">[],
): Pick<FindOptionsWhere<Document>, "batchId"> {
  if (batches.length === 0) return {};
  const batchIds = batches.map(({ id }) => id);
  return {
    batchId: Raw(
      (column) => `(${column} IS NULL OR ${column} NOT IN (:...batchIds))`,
      { batchIds },
    ),
  };
}
