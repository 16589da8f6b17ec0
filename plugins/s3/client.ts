import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";

interface S3Access {
  region: string;
  /** null: Amazon's own. */
  endpoint: string | null;
  /** null: from the environment, as Amazon's tools find them. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  /** Whether bucket names are in the path instead of the host name. Default: for all servers but Amazon's. */
  forcePathStyle?: boolean;
}

export function createS3Client(
  {
    region,
    endpoint,
    credentials,
    forcePathStyle = endpoint !== null,
  }: S3Access,
  options: Pick<S3ClientConfig, "maxAttempts" | "requestHandler">,
): S3Client {
  return new S3Client({
    region,
    forcePathStyle,
    ...(endpoint !== null && { endpoint }),
    ...(credentials !== null && { credentials }),
    // Many compatible servers do not support trailing checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    ...options,
  });
}

/** How the server, or the client, calls a failure, such as `NoSuchBucket`. */
export function getErrorName(error: unknown): string {
  return error instanceof Error ? error.name : "";
}
