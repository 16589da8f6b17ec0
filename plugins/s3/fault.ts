import { PlatenError } from "../../core/plugin-api/index.js";
import type { S3Place } from "./address.js";

const hints: Readonly<Record<string, string>> = {
  NoSuchBucket: "there is no such bucket. Create it, or mend the name",
  AccessDenied:
    "access is denied. Give the key leave to read, write, list and delete there",
  InvalidAccessKeyId: "the access key is not known there",
  SignatureDoesNotMatch: "the secret does not belong to the access key",
  CredentialsProviderError:
    "no credentials were found. Put them in the address, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
  PermanentRedirect:
    "the bucket is in another region. Set region in the address",
  ENOTFOUND: "the host of the endpoint is not known",
  ECONNREFUSED: "nothing answers at the endpoint",
};

/** Whether the server says that there is no such file; a missing bucket is something else. */
export function isMissing(error: unknown): boolean {
  return ["NoSuchKey", "NotFound"].includes(nameOf(error));
}

/** What to tell of a failed call. The cause is for the log. */
export function s3Fault(error: unknown, { bucket }: S3Place): PlatenError {
  if (error instanceof PlatenError) return error;
  const hint = hints[nameOf(error)] ?? hints[codeOf(error)];
  return new PlatenError(
    "unavailable",
    hint === undefined
      ? `The file store "${bucket}" cannot be read or written at the moment.`
      : `The file store "${bucket}" cannot be used: ${hint}.`,
    { cause: error },
  );
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "";
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
