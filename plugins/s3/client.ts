import { S3Client } from "@aws-sdk/client-s3";
import type { S3Place } from "./address.js";

const connectMs = 5_000;
const silenceMs = 60_000;

/** A client that speaks to one address; other servers than Amazon's get paths instead of host names for buckets. */
export function createS3Client(
  { region, credentials }: S3Place,
  endpoint: string | null,
): S3Client {
  return new S3Client({
    region,
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    ...(credentials !== null && { credentials }),
    // Many compatible servers know no trailing checksums. We keep a SHA-256 of our own beside each file.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 4,
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: silenceMs,
    },
  });
}
