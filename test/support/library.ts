import { z } from "zod";
import {
  assetSchema,
  assetListItemSchema,
  uploadLinkSchema,
} from "../../core/api/routes/assets.js";
import { folderSchema } from "../../core/api/routes/folders.js";
import { paginationSchema } from "../../core/api/schemas.js";
import { errorOf, type TestCaller, reader } from "./caller.js";

export type AssetReply = z.output<typeof assetSchema>;

/** Any JSON body of a request that makes an asset. */
type Upload = Record<string, unknown>;

/** Reads a good answer of this form. */
export const libraryReplies = {
  asset: reader(assetSchema),
  assets: reader(
    z.strictObject({
      data: z.array(assetListItemSchema),
      pagination: paginationSchema,
    }),
  ),
  uploadLink: reader(uploadLinkSchema),
  folder: reader(folderSchema),
  folders: reader(
    z.strictObject({
      data: z.array(folderSchema),
      pagination: paginationSchema,
    }),
  ),
};

/** Stores an asset over REST. */
export async function added(
  caller: TestCaller,
  upload: Upload,
): Promise<AssetReply> {
  return libraryReplies.asset(await caller.post("/api/assets", upload), 201);
}

/** The same with bytes. */
export function addedBytes(
  caller: TestCaller,
  name: string,
  bytes: Uint8Array,
  more: Upload = {},
): Promise<AssetReply> {
  return added(caller, { name, base64Data: base64(bytes), ...more });
}

/** The status and the words with which an upload is refused. */
export async function refusal(
  caller: TestCaller,
  upload: Upload,
): Promise<{ status: number; error: string }> {
  const response = await caller.post("/api/assets", upload);
  return { status: response.status, error: await errorOf(response) };
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
