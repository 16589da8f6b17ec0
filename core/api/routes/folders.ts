import { z } from "zod";
import type { Folders } from "../../folders/index.js";
import { operation, type Operation } from "../operation.js";
import { pagination } from "../schemas/common.js";
import {
  folder,
  folderKind,
  folderPatch,
  newFolder,
} from "../schemas/folder.js";
import { pageOf, pageQuery } from "../schemas/query.js";

const params = z.strictObject({
  folderId: z.string().meta({ description: "UUID of the folder." }),
});
const tag = "Folders";
const one = "/api/folders/:folderId";

/** Folders of templates and of assets. */
export function folderOperations(folders: Folders): Operation[] {
  return [list(folders), create(folders), change(folders), remove(folders)];
}

function list(folders: Folders): Operation {
  return operation({
    id: "listFolders",
    method: "get",
    path: "/api/folders",
    scope: "templates:read",
    tag,
    summary: "List folders",
    description: "The newest first, wherever they stand.",
    query: z.strictObject({
      ...pageQuery,
      kind: folderKind.optional(),
      parentId: z.string().optional().meta({
        description: "Only those in this folder.",
      }),
    }),
    reply: {
      description: "A page of folders.",
      schema: z.strictObject({ data: z.array(folder), pagination }),
    },
    handle: ({ caller, query: { kind, parentId, ...page } }) =>
      folders.list(caller.organizationId, { ...pageOf(page), kind, parentId }),
  });
}

function create(folders: Folders): Operation {
  return operation({
    id: "createFolder",
    method: "post",
    path: "/api/folders",
    scope: "templates:write",
    tag,
    summary: "Make a folder",
    description:
      "For templates or for assets, ten inside of each other at most.",
    body: newFolder,
    reply: { status: 201, description: "The folder.", schema: folder },
    errors: [413],
    handle: ({ caller, body }) => folders.create(caller, body),
  });
}

function change(folders: Folders): Operation {
  return operation({
    id: "updateFolder",
    method: "patch",
    path: one,
    scope: "templates:write",
    tag,
    summary: "Rename or move a folder",
    description: "With all that is in it. What is left out stays as it is.",
    params,
    body: folderPatch,
    reply: { description: "The folder.", schema: folder },
    errors: [404, 413],
    handle: ({ caller, params: { folderId }, body }) =>
      folders.change(caller.organizationId, folderId, body),
  });
}

function remove(folders: Folders): Operation {
  return operation({
    id: "deleteFolder",
    method: "delete",
    path: one,
    scope: "templates:write",
    tag,
    summary: "Delete an empty folder",
    description:
      "One that holds folders, templates or assets is refused with 409; what is in the trash leaves it for the top.",
    params,
    reply: { description: "The folder, as it was.", schema: folder },
    errors: [404, 409],
    handle: ({ caller, params: { folderId } }) =>
      folders.remove(caller.organizationId, folderId),
  });
}
