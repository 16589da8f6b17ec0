import type { EntityManager } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import {
  findForUpdate,
  Folder,
  insertRow,
  isId,
  listPage,
  newId,
  type PageRequest,
  type Store,
} from "../storage/database/index.js";
import { emptyFolder } from "./empty-folder.js";
import { type FolderKind, type FolderView, folderView } from "./folder-view.js";
import { checkPlace, lockTree } from "./place-folder.js";

export interface FolderOwner {
  organizationId: string;
  userId: string;
}

export interface NewFolder {
  name: string;
  kind: FolderKind;
  parentId?: string | null | undefined;
}

/** What is left out stays. */
export interface FolderChange {
  name?: string | undefined;
  parentId?: string | null | undefined;
}

export interface FolderQuery extends PageRequest {
  kind?: FolderKind | undefined;
  /** Those in this folder alone. */
  parentId?: string | undefined;
}

export interface FolderList {
  data: FolderView[];
  pagination: PageRequest & { total: number };
}

/** An organization's folders. To one of them, another's do not exist. */
export class Folders {
  constructor(private readonly store: Pick<Store, "snapshot" | "unitOfWork">) {}

  /** The newest first. */
  async list(
    organizationId: string,
    { kind, parentId, ...page }: FolderQuery,
  ): Promise<FolderList> {
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
    return { data: rows.map(folderView), pagination };
  }

  /** @throws PlatenError `invalid_request` for a parent in which it cannot stand. */
  create(
    { organizationId, userId }: FolderOwner,
    { name, kind, parentId = null }: NewFolder,
  ): Promise<FolderView> {
    const now = new Date();
    const row: Folder = {
      id: newId(),
      organizationId,
      parentId,
      kind,
      name: checkName(name),
      createdById: userId,
      createdAt: now,
      updatedAt: now,
    };
    return this.store.unitOfWork.run(async (tx) => {
      await lockTree(tx, organizationId);
      if (parentId !== null) await checkPlace(tx, row, parentId, null);
      await insertRow(tx, Folder, row);
      return folderView(row);
    });
  }

  /** @throws PlatenError `not_found`, `invalid_request` for a parent in which it cannot stand. */
  change(
    organizationId: string,
    id: string,
    { name, parentId }: FolderChange,
  ): Promise<FolderView> {
    return this.store.unitOfWork.run(async (tx) => {
      await lockTree(tx, organizationId);
      const row = await findFolder(tx, organizationId, id);
      if (parentId) await checkPlace(tx, row, parentId, row);
      const columns = {
        ...(name !== undefined && { name: checkName(name) }),
        ...(parentId !== undefined && { parentId }),
        updatedAt: new Date(),
      };
      await tx.update(Folder, { id, organizationId }, columns);
      return folderView(Object.assign(row, columns));
    });
  }

  /**
   * Deletes a folder in which nothing is but what is in the trash. @returns it as it was.
   * @throws PlatenError `not_found`, `conflict` for one that is not empty.
   */
  remove(organizationId: string, id: string): Promise<FolderView> {
    return this.store.unitOfWork.run(async (tx) => {
      await lockTree(tx, organizationId);
      const row = await findFolder(tx, organizationId, id);
      await emptyFolder(tx, row);
      await tx.delete(Folder, { id, organizationId });
      return folderView(row);
    });
  }
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
  throw new PlatenError("not_found", "There is no such folder.");
}

function checkName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length > 0 && trimmed.length <= 255) return trimmed;
  throw new PlatenError(
    "invalid_request",
    "The name of a folder has 1 to 255 characters.",
  );
}
