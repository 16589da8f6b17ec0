import { z } from "zod";
import type { Assets } from "../../assets/index.js";
import { actorOf } from "../actor-of.js";
import { operation, type Operation } from "../operation.js";
import {
  asset,
  assetListItem,
  assetPatch,
  assetType,
} from "../schemas/asset.js";
import { pagination } from "../schemas/common.js";
import { booleanWord, pageOf, pageQuery } from "../schemas/query.js";

const params = z.strictObject({
  assetId: z.string().meta({ description: "UUID of the asset." }),
});
const tag = "Assets";
const one = "/api/assets/:assetId";

/** What is in the library; how files come into it, see `uploadOperations`. */
export function assetOperations(assets: Assets): Operation[] {
  return [
    list(assets),
    read(assets),
    change(assets),
    trash(assets),
    restore(assets),
  ];
}

function list(assets: Assets): Operation {
  return operation({
    id: "listAssets",
    method: "get",
    path: "/api/assets",
    scope: "templates:read",
    tag,
    summary: "List assets",
    description: "The newest first; those in the trash only on request.",
    query: z.strictObject({
      ...pageQuery,
      assetType: assetType.optional(),
      folderId: z.string().optional().meta({
        description: "Only those in this folder.",
      }),
      includeTrashed: booleanWord.optional(),
      onlyTrashed: booleanWord.optional().meta({
        description: "True: those in the trash, and no others.",
      }),
      q: z.string().optional().meta({
        description: "A part of the name, in upper or lower case.",
        example: "logo",
      }),
    }),
    reply: {
      description: "A page of assets.",
      schema: z.strictObject({ data: z.array(assetListItem), pagination }),
    },
    handle: ({ caller, query: { page, pageSize, ...filter } }) =>
      assets.list(caller.organizationId, {
        ...filter,
        ...pageOf({ page, pageSize }),
      }),
  });
}

function read(assets: Assets): Operation {
  return operation({
    id: "getAsset",
    method: "get",
    path: one,
    scope: "templates:read",
    tag,
    summary: "Read an asset",
    description: "One in the trash too.",
    params,
    reply: { description: "The asset.", schema: asset },
    errors: [404],
    handle: ({ caller, params: { assetId } }) =>
      assets.get(caller.organizationId, assetId),
  });
}

function change(assets: Assets): Operation {
  return operation({
    id: "updateAsset",
    method: "patch",
    path: one,
    scope: "templates:write",
    tag,
    summary: "Rename or move an asset",
    description:
      "What is left out stays as it is. The file cannot be changed: store another.",
    params,
    body: assetPatch,
    reply: { description: "The asset.", schema: asset },
    errors: [404, 413],
    handle: ({ caller, params: { assetId }, body }) =>
      assets.change(caller, assetId, body),
  });
}

function trash(assets: Assets): Operation {
  return operation({
    id: "deleteAsset",
    method: "delete",
    path: one,
    scope: "templates:write",
    tag,
    summary: "Move an asset to the trash, or delete it for good",
    description:
      "In the trash it is out of the lists; what names it still shows it, and its address stays good. For good, only what " +
      "is in the trash already goes, and what no template or version names: otherwise 409.",
    params,
    query: z.strictObject({
      permanently: booleanWord.optional().meta({
        description: "True: for good, with its file.",
      }),
    }),
    reply: {
      description: "The asset, in the trash; or as it was.",
      schema: asset,
    },
    errors: [404, 409],
    handle: ({ caller, params: { assetId }, query: { permanently } }) =>
      permanently
        ? assets.purge(caller, assetId, actorOf(caller))
        : assets.trash(caller, assetId, actorOf(caller)),
  });
}

function restore(assets: Assets): Operation {
  return operation({
    id: "restoreAsset",
    method: "post",
    path: `${one}/restore`,
    scope: "templates:write",
    tag,
    summary: "Take an asset out of the trash",
    description: "One that is not there stays as it is.",
    params,
    reply: { description: "The asset.", schema: asset },
    errors: [404],
    handle: ({ caller, params: { assetId } }) =>
      assets.restore(caller, assetId, actorOf(caller)),
  });
}
