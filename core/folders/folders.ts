import { type EntityManager, IsNull, Not } from "typeorm";
import { z } from "zod";
import { clock } from "../lib/clock.js";
import { inject, Lifecycle, scoped } from "../lib/injection.js";
import { idInput, timestampSchema, toView } from "../lib/schemas.js";
import { PlatenError } from "../plugin-api/index.js";
import {
  Asset,
  type CreatedCallback,
  findForUpdate,
  Folder,
  insertRow,
  isId,
  listPage,
  newId,
  Organization,
  type PageRequest,
  type Store,
  Template,
  STORE,
} from "../storage/database/index.js";

export const folderSchema = z
  .strictObject({
    id: z.string().meta({ format: "uuid" }),
    organizationId: z.string(),
    parentId: idInput.nullable().meta({
      description:
        "The parent folder, of the same kind; null at the top level.",
    }),
    kind: z
      .enum(["template", "asset"])
      .meta({ description: "What the folder contains." }),
    name: z.string(),
    createdById: z.string(),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
  })
  .meta({ id: "Folder" });

type FolderView = z.output<typeof folderSchema>;

interface NewFolder {
  name: string;
  kind: Folder["kind"];
  parentId?: string | null | undefined;
}

/** Absent fields stay as they are. */
interface FolderChange {
  name?: string | undefined;
  parentId?: string | null | undefined;
}

interface FolderQuery extends PageRequest {
  kind?: Folder["kind"] | undefined;
  /** Returns only direct children of this folder. */
  parentId?: string | undefined;
}

/** Folders of other organizations are treated as missing. */
@scoped(Lifecycle.ContainerScoped)
export class Folders {
  constructor(
    @inject(STORE)
    private readonly store: Pick<Store, "snapshot" | "unitOfWork">,
  ) {}

  /** Newest first. */
  async list(organizationId: string, { kind, parentId, ...page }: FolderQuery) {
    const { rows, ...pagination } = await this.store.snapshot((read) =>
      listPage(read, Folder, {
        ...page,
        where: {
          organizationId,
          ...(kind && { kind }),
          ...(parentId !== undefined && { parentId }),
        },
        newestBy: "createdAt",
      }),
    );
    return { data: rows.map((row) => toView(folderSchema, row)), pagination };
  }

  /** @throws PlatenError `invalid_request` for an invalid name or parent. */
  create(
    { organizationId, userId }: { organizationId: string; userId: string },
    { name, kind, parentId = null }: NewFolder,
    inTransaction?: CreatedCallback<FolderView>,
  ): Promise<FolderView> {
    const now = clock.date();
    const row: Folder = {
      id: newId(),
      organizationId,
      parentId,
      kind,
      name: parseName(name),
      createdById: userId,
      createdAt: now,
      updatedAt: now,
    };
    return this.store.unitOfWork.run(async (tx) => {
      await lockTree(tx, organizationId);
      if (parentId !== null) await checkParent(tx, row, parentId, null);
      await insertRow(tx, Folder, row);
      const view = toView(folderSchema, row);
      await inTransaction?.(tx, view);
      return view;
    });
  }

  /** @throws PlatenError `not_found`, `invalid_request` for an invalid name or parent. */
  change(
    organizationId: string,
    id: string,
    { name, parentId }: FolderChange,
  ): Promise<FolderView> {
    return this.store.unitOfWork.run(async (tx) => {
      await lockTree(tx, organizationId);
      const row = await findFolder(tx, organizationId, id);
      if (typeof parentId === "string")
        await checkParent(tx, row, parentId, row);
      const columns = {
        ...(name !== undefined && { name: parseName(name) }),
        ...(parentId !== undefined && { parentId }),
        updatedAt: clock.date(),
      };
      await tx.update(Folder, { id, organizationId }, columns);
      return toView(folderSchema, Object.assign(row, columns));
    });
  }

  /**
   * Deletes a folder that is empty or contains only trashed items, which move to the top level. @returns the folder.
   * @throws PlatenError `not_found`, `conflict` for a folder that is not empty.
   */
  remove(organizationId: string, id: string): Promise<FolderView> {
    return this.store.unitOfWork.run(async (tx) => {
      await lockTree(tx, organizationId);
      const row = await findFolder(tx, organizationId, id);
      await removeTrashedItems(tx, row);
      await tx.delete(Folder, { id, organizationId });
      return toView(folderSchema, row);
    });
  }
}

/**
 * Locks a folder, so that it cannot be deleted before the transaction adds something to it.
 * @throws PlatenError `invalid_request` unless the organization has such a folder of that kind.
 */
export async function requireFolder(
  tx: EntityManager,
  organizationId: string,
  kind: Folder["kind"],
  id: string,
): Promise<void> {
  const where = { id, organizationId, kind };
  if (isId(id) && (await findForUpdate(tx, Folder, where))) return;
  throw unknownFolder("$.folderId", kind);
}

async function findFolder(
  tx: EntityManager,
  organizationId: string,
  id: string,
): Promise<Folder> {
  const row = isId(id)
    ? await findForUpdate(tx, Folder, { id, organizationId })
    : null;
  if (row) return row;
  throw new PlatenError("not_found", "Folder not found.");
}

function parseName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length > 0 && trimmed.length <= 255) return trimmed;
  throw new PlatenError(
    "invalid_request",
    "The name of a folder must have 1 to 255 characters.",
  );
}

/** Serializes changes of an organization's folders: two concurrent moves could create a cycle. */
async function lockTree(
  tx: EntityManager,
  organizationId: string,
): Promise<void> {
  await findForUpdate(tx, Organization, { id: organizationId });
}

const maxDepth = 10;

/**
 * Checks a new parent; requires the locked tree.
 * @param folder null for a new folder.
 * @throws PlatenError `invalid_request` for a parent that does not exist, is inside the folder, or is too deep.
 */
async function checkParent(
  tx: EntityManager,
  { organizationId, kind }: Pick<Folder, "organizationId" | "kind">,
  parentId: string,
  folder: Pick<Folder, "id"> | null,
): Promise<void> {
  const rows = await tx.find(Folder, {
    where: { organizationId, kind },
    select: { id: true, parentId: true },
  });
  const parents = new Map(rows.map((row) => [row.id, row.parentId]));
  if (!parents.has(parentId)) throw unknownFolder("$.parentId", kind);
  const above = getPath(parents, parentId);
  if (folder && above.includes(folder.id))
    throw invalidParent(
      "is inside the folder itself.",
      "Choose another folder.",
    );
  const height = folder ? getHeight(parents, folder.id) : 1;
  if (above.length + height > maxDepth)
    throw invalidParent(
      `would nest more than ${maxDepth} folders.`,
      "Choose a folder closer to the top level.",
    );
}

type Parents = ReadonlyMap<string, string | null>;

/** The folder and its ancestors, nearest first. */
function getPath(parents: Parents, from: string): string[] {
  const path: string[] = [];
  for (let id: string | null = from; id !== null; id = parents.get(id) ?? null)
    path.push(id);
  return path;
}

/** The number of levels from this folder down, including itself. */
function getHeight(parents: Parents, id: string): number {
  const depths = [...parents.keys()].map((folderId) =>
    getPath(parents, folderId).indexOf(id),
  );
  return Math.max(...depths) + 1;
}

/** @throws PlatenError `conflict` that counts the other items in the folder. */
async function removeTrashedItems(
  tx: EntityManager,
  { id, organizationId }: Folder,
): Promise<void> {
  const inside = { folderId: id, organizationId };
  const active = { ...inside, trashedAt: IsNull() };
  const counts = {
    folder: await tx.countBy(Folder, { parentId: id, organizationId }),
    template: await tx.countBy(Template, active),
    asset: await tx.countBy(Asset, active),
  };
  const items = Object.entries(counts).flatMap(([kind, count]) =>
    count === 0 ? [] : [`${count} ${kind}${count === 1 ? "" : "s"}`],
  );
  if (items.length > 0)
    throw new PlatenError(
      "conflict",
      `The folder is not empty: ${items.join(", ")}. Move or delete them first.`,
    );
  const trashed = { ...inside, trashedAt: Not(IsNull()) };
  await tx.update(Template, trashed, { folderId: null });
  await tx.update(Asset, trashed, { folderId: null });
}

function unknownFolder(path: string, kind: Folder["kind"]): PlatenError {
  return new PlatenError("invalid_request", "Folder not found.", {
    problems: [
      {
        path,
        code: "unknown_folder",
        message: `is not a folder of ${kind}s in this organization`,
      },
    ],
  });
}

function invalidParent(message: string, hint: string): PlatenError {
  return new PlatenError("invalid_request", "Invalid parent folder.", {
    problems: [{ path: "$.parentId", code: "folder_place", message, hint }],
  });
}
