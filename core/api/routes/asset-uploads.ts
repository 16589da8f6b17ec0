import { z } from "zod";
import type { Assets, AssetView } from "../../assets/index.js";
import type { Caller } from "../../accounts/index.js";
import { actorOf } from "../actor-of.js";
import { readFormFile } from "../form-file.js";
import { hangUpSignal } from "../hang-up.js";
import type { HttpContext } from "../http-state.js";
import { jsonBody } from "../middleware/json-body.js";
import { operation, type Operation } from "../operation.js";
import { requestBytes } from "../request-bytes.js";
import {
  asset,
  newAsset,
  newUploadLink,
  saidType,
  uploadLink,
} from "../schemas/asset.js";
import { validate } from "../validate.js";

const tag = "Assets";

export interface UploadServices {
  assets: Assets;
  maxBodyBytes: number;
}

/** Of a body that is the file itself. */
const fileQuery = z.strictObject({
  name: z.string().optional().meta({
    description: "When the body is the file itself: what people call it.",
  }),
  assetType: saidType.optional(),
  folderId: z.string().optional(),
});

/** How files come into the library. */
export function uploadOperations(services: UploadServices): Operation[] {
  return [create(services), link(services.assets)];
}

function create(services: UploadServices): Operation {
  return operation({
    id: "createAsset",
    method: "post",
    path: "/api/assets",
    scope: "templates:write",
    tag,
    summary: "Store an asset",
    description:
      "An image (png, jpg, webp, gif, avif, svg), a video (mp4, webm, mov), a font (ttf, otf, woff, woff2) or a PDF, from " +
      "exactly one source. A body of any other type than JSON is the file itself, or a form with it, and is read as it " +
      "arrives: `curl --data-binary @logo.png '…/api/assets?name=logo.png'`, `curl -F file=@logo.png …`. The same file under the same name in the same folder " +
      "is the asset that is there already.",
    query: fileQuery,
    body: newAsset,
    readsBody: true,
    takesFile: true,
    reply: { status: 201, description: "The asset.", schema: asset },
    errors: [413, 503],
    handle: ({ caller, query, ctx }) =>
      isJson(ctx)
        ? fromJson(services, caller, ctx)
        : fromFile(services.assets, caller, query, ctx),
  });
}

function link(assets: Assets): Operation {
  return operation({
    id: "createUploadLink",
    method: "post",
    path: "/api/assets/upload-link",
    scope: "templates:write",
    tag,
    summary: "Make a link for an upload",
    description:
      "For whoever has the file and no key: the link takes it once, within 15 minutes, by `PUT` (or `POST`) of its bytes, " +
      "and answers with the asset.",
    body: newUploadLink,
    reply: { status: 201, description: "The link.", schema: uploadLink },
    errors: [413],
    handle: ({ caller, body }) => assets.createUploadLink(caller, body),
  });
}

function isJson(ctx: HttpContext): boolean {
  return ctx.is("json", "+json") !== false;
}

async function fromJson(
  { assets, maxBodyBytes }: UploadServices,
  caller: Caller,
  ctx: HttpContext,
): Promise<AssetView> {
  await jsonBody(maxBodyBytes)(ctx, async () => {});
  const body = newAsset.parse(validate(newAsset, ctx.request.body, "body"));
  const signal = hangUpSignal(ctx.res);
  return assets.upload(caller, body, { actor: actorOf(caller), signal });
}

function fromFile(
  assets: Assets,
  caller: Caller,
  { name = "", ...told }: z.output<typeof fileQuery>,
  ctx: HttpContext,
): Promise<AssetView> {
  if (ctx.is("multipart")) return fromForm(assets, caller, ctx);
  const actor = actorOf(caller);
  const bytes = requestBytes(ctx.req);
  return assets.uploads.fromBytes(caller, { ...told, name, actor, bytes });
}

/** What the query says may stand in the form as well, before the file, whose own name is good enough. */
function fromForm(
  assets: Assets,
  caller: Caller,
  ctx: HttpContext,
): Promise<AssetView> {
  return readFormFile(ctx.req, async ({ fields, filename, bytes }) => {
    const said = { name: filename, ...ctx.query, ...fields };
    const told = fileQuery.parse(validate(fileQuery, said, "body"));
    const name = told.name ?? "";
    const actor = actorOf(caller);
    return assets.uploads.fromBytes(caller, { ...told, name, actor, bytes });
  });
}
