import {
  type FileStorePlugin,
  PLUGIN_API,
} from "../../core/plugin-api/index.js";
import { parseS3Address } from "./address.js";
import { createS3Client } from "./client.js";
import { S3FileStore } from "./s3-file-store.js";

/** Amazon S3, and whatever speaks like it. */
export const s3Plugin: FileStorePlugin = {
  meta: {
    kind: "file-store",
    id: "s3",
    title: "S3-compatible storage",
    version: "1.0.0",
    api: PLUGIN_API,
    platen: "*",
  },
  scheme: "s3",
  open(address) {
    const place = parseS3Address(address);
    const client = createS3Client(place, place.endpoint);
    const door = createS3Client(place, place.publicEndpoint ?? place.endpoint);
    return Promise.resolve(new S3FileStore(client, door, place));
  },
};
