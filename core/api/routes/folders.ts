import { z } from "zod";
import { type Folders, folderSchema } from "../../folders/index.js";
import { createDefinition, type Operation } from "../operation.js";
import { pageSchema, pageOf, pageQuery } from "../schemas.js";
import { idInput } from "../../lib/schemas.js";

const folderName = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(255, "must be at most 255 characters long");

const newFolderSchema = z
  .strictObject({
    name: folderName,
    kind: folderSchema.shape.kind,
    parentId: folderSchema.shape.parentId.optional(),
  })
  .meta({ id: "NewFolder", example: { name: "Logos", kind: "asset" } });

const folderPatchSchema = z
  .strictObject({ name: folderName, parentId: folderSchema.shape.parentId })
  .partial()
  .meta({ id: "FolderPatch", example: { name: "Old logos" } });

const folderParams = z.strictObject({
  folderId: idInput.meta({ description: "UUID of the folder." }),
});
const defineOperation = createDefinition("Folders");
const onePath = "/api/folders/:folderId";

export function folderOperations(folders: Folders): Operation[] {
  return [
    defineOperation({
      id: "listFolders",
      get: "/api/folders",
      scope: "templates:read",
      summary: "List folders",
      description: "Newest first, from all levels.",
      query: z.strictObject({
        ...pageQuery,
        kind: folderSchema.shape.kind.optional(),
        parentId: idInput.optional().meta({
          description: "Only items in this folder.",
        }),
      }),
      reply: {
        description: "A page of folders.",
        schema: pageSchema(folderSchema),
      },
      handle: ({ caller, query: { kind, parentId, ...page } }) =>
        folders.list(caller.organizationId, {
          ...pageOf(page),
          kind,
          parentId,
        }),
    }),
    defineOperation({
      id: "createFolder",
      post: "/api/folders",
      scope: "templates:write",
      summary: "Create a folder",
      description:
        "A folder of templates or assets, nested at most ten levels deep.",
      body: newFolderSchema,
      reply: { status: 201, description: "The folder.", schema: folderSchema },
      idempotent: true,
      handle: ({ caller, body, keepAnswer }) =>
        folders.create(caller, body, keepAnswer),
    }),
    defineOperation({
      id: "updateFolder",
      patch: onePath,
      scope: "templates:write",
      summary: "Update a folder",
      description:
        "Its contents move with it. Fields that you omit stay unchanged.",
      params: folderParams,
      body: folderPatchSchema,
      reply: { description: "The folder.", schema: folderSchema },
      handle: ({ caller, params: { folderId }, body }) =>
        folders.change(caller.organizationId, folderId, body),
    }),
    defineOperation({
      id: "deleteFolder",
      delete: onePath,
      scope: "templates:write",
      summary: "Delete an empty folder",
      description:
        "Returns 409 if the folder contains folders, templates or assets. Trashed items move to the top level.",
      params: folderParams,
      reply: { description: "The deleted folder.", schema: folderSchema },
      errors: [409],
      handle: ({ caller, params: { folderId } }) =>
        folders.remove(caller.organizationId, folderId),
    }),
  ];
}
