import type { Folder } from "../storage/database/index.js";

export type FolderKind = Folder["kind"];

/** A folder as callers see it. Times are ISO 8601. */
export interface FolderView {
  id: string;
  organizationId: string;
  /** null: it stands at the top. */
  parentId: string | null;
  /** What lies in it. */
  kind: FolderKind;
  name: string;
  createdById: string;
  createdAt: string;
  updatedAt: string;
}

export function folderView(row: Folder): FolderView {
  const { id, organizationId, parentId, kind, name, createdById } = row;
  return {
    id,
    organizationId,
    parentId,
    kind,
    name,
    createdById,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
