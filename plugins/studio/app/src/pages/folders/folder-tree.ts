import { askPublic } from "../../api.js";
import { type Resource, useResource } from "../../resource.js";

export type FolderKind = "template" | "asset";

export interface Folder {
  id: string;
  parentId: string | null;
  name: string;
}

/** A folder in its place among the others: a tree, written from top to bottom. */
export interface PlacedFolder extends Folder {
  /** 0 at the top. */
  depth: number;
}

/** All folders of a kind, those within a folder right behind it. */
export function useFolders(kind: FolderKind): Resource<PlacedFolder[]> {
  return useResource(kind, async () => placed(await readAll(kind)));
}

interface FolderPage {
  data: Folder[];
  pagination: { total: number };
}

async function readAll(kind: FolderKind): Promise<Folder[]> {
  const all: Folder[] = [];
  for (let page = 1; ; page += 1) {
    const query = `folders?kind=${kind}&page=${page}&pageSize=100`;
    const { data, pagination } = await askPublic<FolderPage>(query);
    all.push(...data);
    if (data.length === 0 || all.length >= pagination.total) return all;
  }
}

function placed(
  all: readonly Folder[],
  parentId: string | null = null,
  depth = 0,
): PlacedFolder[] {
  return all
    .filter((one) => one.parentId === parentId)
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .flatMap((one) => [{ ...one, depth }, ...placed(all, one.id, depth + 1)]);
}

/** The folder and all that stand in it. */
export function withinOf(
  all: readonly PlacedFolder[],
  { id, depth }: PlacedFolder,
): PlacedFolder[] {
  const from = all.findIndex((one) => one.id === id);
  const rest = all.slice(from + 1);
  const end = rest.findIndex((one) => one.depth <= depth);
  return all.slice(from, end < 0 ? undefined : from + 1 + end);
}
