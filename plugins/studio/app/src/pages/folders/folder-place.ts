import { place, setQuery } from "../../router.js";

/** What of a library is shown: all, the trash, or a folder's id. */
export type FolderPlace =
  | { show: "all" | "trash"; folderId: null }
  | { show: "folder"; folderId: string };

/** What the address asks for. */
export function placeAsked(): FolderPlace {
  const { searchParams } = place.value;
  const folderId = searchParams.get("folder");
  if (folderId !== null) return { show: "folder", folderId };
  const isTrash = searchParams.get("show") === "trash";
  return { show: isTrash ? "trash" : "all", folderId: null };
}

/** Below a page's path. */
export function queryOf({ show, folderId }: FolderPlace): string {
  if (folderId !== null) return `?folder=${folderId}`;
  return show === "trash" ? "?show=trash" : "";
}

export function showPlace({ show, folderId }: FolderPlace): void {
  setQuery({
    folder: folderId ?? "",
    show: show === "trash" ? "trash" : "",
    page: "",
  });
}

export const everything: FolderPlace = { show: "all", folderId: null };
export const inTrash: FolderPlace = { show: "trash", folderId: null };
