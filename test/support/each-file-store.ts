import { randomBytes } from "node:crypto";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import type { FileStore } from "../../core/plugin-api/index.js";
import { LocalFileStore } from "../../core/storage/files/index.js";
import { shippedFileStores } from "../../plugins/index.js";
import { silentLog } from "./recording-log.js";
import { suiteFolder } from "./store-folder.js";

/** The server that PLATEN_TEST_S3_URL names, with a fresh prefix; null when it names none. */
export function s3Address(): URL | null {
  const server = process.env.PLATEN_TEST_S3_URL;
  if (!server) return null;
  const address = new URL(server);
  address.pathname = `/${randomBytes(6).toString("hex")}`;
  return address;
}

/** Makes the tests' bucket; that it is there already is no fault. */
export async function makeBucket(address: URL): Promise<void> {
  const client = new S3Client({
    endpoint: address.searchParams.get("endpoint") ?? "",
    region: address.searchParams.get("region") ?? "",
    forcePathStyle: true,
    credentials: {
      accessKeyId: decodeURIComponent(address.username),
      secretAccessKey: decodeURIComponent(address.password),
    },
  });
  await client
    .send(new CreateBucketCommand({ Bucket: address.hostname }))
    .catch((error: unknown) => {
      const isThere =
        error instanceof Error && error.name.startsWith("BucketAlready");
      if (!isThere) throw error;
    });
}

/** Opens the store that an address names, through the plugin that ships. */
export async function openS3(address: URL): Promise<FileStore> {
  const shipped = shippedFileStores.find(({ scheme }) => scheme === "s3");
  if (!shipped) throw new Error("no plugin opens s3:");
  return (await shipped.load()).open(address, { log: silentLog });
}

/** Runs a suite on the local store, and on a real S3-compatible server when PLATEN_TEST_S3_URL names one. */
export function eachFileStore(suite: (open: () => FileStore) => void): void {
  describe("in a folder", () => {
    const files = new LocalFileStore(suiteFolder());
    before(() => files.prepare());
    suite(() => files);
  });
  const address = s3Address();
  if (!address) return;
  describe("in an S3 bucket", () => {
    let files: FileStore | undefined;
    before(async () => {
      await makeBucket(address);
      files = await openS3(address);
      await files.prepare();
    });
    suite(() => {
      if (!files) throw new Error("asked for before the suite began");
      return files;
    });
  });
}
