import type { AssetView } from "../../core/asset/index.js";
import { errorOf, type TestCaller } from "./caller.js";

/** Any JSON body of a request that makes an asset. */
type Upload = Record<string, unknown>;

/** Stores an asset over REST. */
export async function added(
  caller: TestCaller,
  upload: Upload,
): Promise<AssetView> {
  const response = await caller.post("/api/assets", upload);
  if (response.status !== 201) throw new Error(await errorOf(response));
  return bodyOf(response);
}

/** The same with bytes. */
export function addedBytes(
  caller: TestCaller,
  name: string,
  bytes: Uint8Array,
  more: Upload = {},
): Promise<AssetView> {
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

/** The asset in an answer. */
export async function bodyOf(response: Response): Promise<AssetView> {
  // What the service itself wrote; a test that reads it fails where it has another form.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (await response.json()) as AssetView;
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
