import { createHash } from "node:crypto";
import { Router } from "@koa/router";
import { z } from "zod";
import {
  assetListItemSchema,
  type Assets,
  assetSchema,
  type AssetView,
  type PublicFiles,
  uploadLinkSchema,
} from "../../assets/index.js";
import {
  getActor,
  createDisconnectSignal,
  type HttpContext,
  type HttpState,
} from "../middleware.js";
import {
  type BodyParser,
  createJsonReader,
  readFormFile,
  readFileBytes,
} from "../request-body.js";
import {
  createDefinition,
  type KeepAnswer,
  type Operation,
  type OperationRequest,
  validate,
} from "../operation.js";
import { pageSchema, booleanWord, pageOf, pageQuery } from "../schemas.js";
import { sendFile } from "../send-file.js";
import { idInput } from "../../lib/schemas.js";

const assetName = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(255, "must be at most 255 characters long");

const assetFolderId = idInput
  .nullable()
  .meta({ description: "A folder of assets, or null for none." });

/** What a file may be told to be; what it is, its bytes say. */
const expectedTypeSchema = z.enum(["image", "video"]).meta({
  description:
    "The expected kind of file; `image` also accepts fonts and PDFs. Default: any kind.",
});

const newAssetFields = {
  name: assetName.meta({
    description: "The display name.",
    example: "logo.png",
  }),
  assetType: expectedTypeSchema.optional(),
  folderId: assetFolderId.optional(),
};

const newAssetSchema = z
  .strictObject({
    ...newAssetFields,
    base64Data: z.string().optional().meta({
      description: "The file in base64, or a data URL of it.",
    }),
    fileUrl: z.string().max(8192).optional().meta({
      description: "An https URL to fetch the file from.",
      example: "https://www.example.com/logo.png",
    }),
    filePath: z.string().max(4096).optional().meta({
      description:
        "Not supported over REST: the error contains a link for uploading the file.",
    }),
  })
  .meta({ id: "NewAsset" });

const newUploadLinkSchema = z
  .strictObject(newAssetFields)
  .meta({ id: "NewUploadLink" });

const assetPatchSchema = z
  .strictObject({ name: assetName, folderId: assetFolderId })
  .partial()
  .meta({ id: "AssetPatch", example: { name: "logo-2026.png" } });

const assetParams = z.strictObject({
  assetId: idInput.meta({ description: "UUID of the asset." }),
});
const defineOperation = createDefinition("Assets");
const onePath = "/api/assets/:assetId";

/** What is in the library; how files come into it, see `uploadOperations`. */
export function assetOperations(assets: Assets): Operation[] {
  return [
    defineOperation({
      id: "listAssets",
      get: "/api/assets",
      scope: "templates:read",
      summary: "List assets",
      description: "Newest first. Trashed assets are listed only on request.",
      query: z.strictObject({
        ...pageQuery,
        assetType: assetSchema.shape.assetType.optional(),
        folderId: idInput.optional().meta({
          description: "Only items in this folder.",
        }),
        includeTrashed: booleanWord.optional(),
        onlyTrashed: booleanWord.optional().meta({
          description: "True: list only trashed assets.",
        }),
        q: z.string().optional().meta({
          description: "Part of the name, case-insensitive.",
          example: "logo",
        }),
      }),
      reply: {
        description: "A page of assets.",
        schema: pageSchema(assetListItemSchema),
      },
      handle: ({ caller, query: { page, pageSize, ...filter } }) =>
        assets.list(caller.organizationId, {
          ...filter,
          ...pageOf({ page, pageSize }),
        }),
    }),
    defineOperation({
      id: "getAsset",
      get: onePath,
      scope: "templates:read",
      summary: "Read an asset",
      description: "Trashed assets are returned too.",
      params: assetParams,
      reply: { description: "The asset.", schema: assetSchema },
      handle: ({ caller, params: { assetId } }) =>
        assets.get(caller.organizationId, assetId),
    }),
    defineOperation({
      id: "updateAsset",
      patch: onePath,
      scope: "templates:write",
      summary: "Update an asset",
      description:
        "Fields that you omit stay unchanged. The file itself cannot be replaced; upload a new asset instead.",
      params: assetParams,
      body: assetPatchSchema,
      reply: { description: "The asset.", schema: assetSchema },
      handle: ({ caller, params: { assetId }, body }) =>
        assets.change(caller, assetId, body),
    }),
    defineOperation({
      id: "deleteAsset",
      delete: onePath,
      scope: "templates:write",
      summary: "Trash or permanently delete an asset",
      description:
        "A trashed asset is not listed, but templates that use it still show it and its URL keeps working. With `permanently`, only " +
        "a trashed asset that no template, version or brand kit uses can be deleted; otherwise the response is 409.",
      params: assetParams,
      query: z.strictObject({
        permanently: booleanWord.optional().meta({
          description: "True: delete the asset and its file permanently.",
        }),
      }),
      reply: {
        description:
          "The asset, as it is in the trash or was before it was deleted.",
        schema: assetSchema,
      },
      errors: [409],
      handle: ({ caller, params: { assetId }, query: { permanently } }) =>
        permanently
          ? assets.purge(caller, assetId, getActor(caller))
          : assets.trash(caller, assetId, getActor(caller)),
    }),
    defineOperation({
      id: "restoreAsset",
      post: `${onePath}/restore`,
      scope: "templates:write",
      summary: "Restore an asset from the trash",
      description: "Has no effect if it is not in the trash.",
      params: assetParams,
      reply: { description: "The asset.", schema: assetSchema },
      handle: ({ caller, params: { assetId } }) =>
        assets.restore(caller, assetId, getActor(caller)),
    }),
  ];
}

interface UploadServices {
  assets: Assets;
  maxBodyBytes: number;
  compute: BodyParser;
}

/** Of a body that is the file itself. */
const fileQuery = z.strictObject({
  name: z.string().optional().meta({
    description: "The asset's name, when the body is the file itself.",
  }),
  assetType: expectedTypeSchema.optional(),
  folderId: idInput.optional(),
});

export function uploadOperations(services: UploadServices): Operation[] {
  return [
    defineOperation({
      id: "createAsset",
      post: "/api/assets",
      scope: "templates:write",
      summary: "Upload an asset",
      description:
        "An image (png, jpg, webp, gif, avif, svg), a video (mp4, webm, mov), a font (ttf, otf, woff, woff2) or a PDF, from " +
        "exactly one source. A body that is not JSON is the file itself or a form that contains it, and is streamed: " +
        "`curl --data-binary @logo.png '…/api/assets?name=logo.png'`, `curl -F file=@logo.png …`. Uploading the same file under the same name to the same folder " +
        "returns the existing asset.",
      query: fileQuery,
      body: newAssetSchema,
      readsBody: true,
      takesFile: true,
      reply: { status: 201, description: "The asset.", schema: assetSchema },
      idempotent: {
        hashBody: (request) =>
          readUpload(services, request, async (upload) => {
            if ("bytes" in upload) for await (const _ of upload.bytes);
            return upload.hash();
          }),
      },
      handle: (request) =>
        readUpload(services, request, (upload) =>
          storeUpload(services.assets, upload, request),
        ),
    }),
    createUploadLink(services.assets),
  ];
}

function createUploadLink(assets: Assets): Operation {
  return defineOperation({
    id: "createUploadLink",
    post: "/api/assets/upload-link",
    scope: "templates:write",
    summary: "Create an upload link",
    description:
      "For uploading without a key: the link accepts one file within 15 minutes, by `PUT` (or `POST`) of its bytes, " +
      "and returns the asset.",
    body: newUploadLinkSchema,
    reply: { status: 201, description: "The link.", schema: uploadLinkSchema },
    handle: ({ caller, body }) => assets.createUploadLink(caller, body),
  });
}

/** What a request asks to store: what its JSON describes, or the bytes that it carries. */
type Upload = (
  | { body: z.output<typeof newAssetSchema> }
  | (Omit<z.output<typeof fileQuery>, "name"> & {
      name: string;
      bytes: AsyncIterable<Uint8Array>;
    })
) & {
  /** Identifies the request; of bytes, once they have all been read. */
  hash(): string;
};

type UploadRequest = OperationRequest<
  unknown,
  z.output<typeof fileQuery>,
  unknown
>;

async function readUpload<T>(
  { maxBodyBytes, compute }: UploadServices,
  { query, ctx }: UploadRequest,
  take: (upload: Upload) => Promise<T>,
): Promise<T> {
  if (ctx.is("json", "+json") !== false) {
    await createJsonReader(maxBodyBytes, compute)(ctx);
    const body = newAssetSchema.parse(
      validate(newAssetSchema, ctx.request.body, "body"),
    );
    return take({ body, hash: () => JSON.stringify(body) });
  }
  if (!ctx.is("multipart"))
    return take(hashBytes(query, readFileBytes(ctx.req)));
  // Form fields before the file may replace query parameters; the name defaults to the file's own name.
  return readFormFile(ctx.req, async ({ fields, filename, bytes }) => {
    const said = { name: filename, ...ctx.query, ...fields };
    const parameters = fileQuery.parse(validate(fileQuery, said, "body"));
    return take(hashBytes(parameters, bytes));
  });
}

/** Hashes bytes as they are read. A form's own bytes would differ each time, by its boundary. */
function hashBytes(
  { name = "", ...parameters }: z.output<typeof fileQuery>,
  bytes: AsyncIterable<Uint8Array>,
): Upload {
  const hash = createHash("sha256");
  async function* hashed() {
    for await (const chunk of bytes) {
      hash.update(chunk);
      yield chunk;
    }
  }
  return {
    ...parameters,
    name,
    bytes: hashed(),
    hash: () =>
      JSON.stringify({ name, ...parameters, file: hash.copy().digest("hex") }),
  };
}

function storeUpload(
  assets: Assets,
  upload: Upload,
  { caller, ctx, keepAnswer }: UploadRequest,
): Promise<AssetView> {
  const actor = getActor(caller);
  const inTransaction = (
    tx: Parameters<KeepAnswer>[0],
    asset: AssetView,
  ): Promise<void> => keepAnswer(tx, asset, upload.hash());
  if (!("body" in upload))
    return assets.uploads.fromBytes(caller, {
      ...upload,
      actor,
      inTransaction,
    });
  const signal = createDisconnectSignal(ctx.res);
  return assets.upload(caller, upload.body, { actor, signal, inTransaction });
}

/** Takes the file for which an upload link was made. The link itself is the proof. */
export function uploadRoutes(assets: Assets): Router<HttpState> {
  const router = new Router<HttpState>();
  const take = async (ctx: HttpContext) => {
    const [, secret = ""] = /\/uploads\/([\w-]+)$/.exec(ctx.path) ?? [];
    ctx.body = await assets.uploads.byLink(secret, readFileBytes(ctx.req));
    ctx.status = 201;
  };
  router.put("/uploads/:secret", take);
  router.post("/uploads/:secret", take);
  return router;
}

// A drawing of a stranger's making: it may show itself and do nothing else, and it has no origin.
const publicFilePolicy =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; font-src data:";

/** Files of assets. They need no key: the address cannot be guessed, and leads to the same bytes for ever. */
export function cdnRoutes(publicFiles: PublicFiles): Router<HttpState> {
  const router = new Router<HttpState>();
  router.get("/cdn/:name", async (ctx) => {
    const file = await publicFiles.find(ctx.params["name"] ?? "");
    ctx.set({
      "cache-control": "public, max-age=31536000, immutable",
      // Fonts of other sites' pages are only taken with leave.
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "content-security-policy": publicFilePolicy,
    });
    // Browsers show no PDF in a sandbox; a PDF brings its own.
    if (file.mimeType === "application/pdf")
      ctx.remove("content-security-policy");
    await sendFile(ctx, file);
  });
  return router;
}
