import { publicAddress, Refusal } from "../api.js";
import { noteAnswer, pageHeaders } from "../standing.js";
import type { Asset } from "./asset.js";

interface UploadOptions {
  folderId: string | null;
  /** From 0 to 1. */
  onProgress: (done: number) => void;
  signal: AbortSignal;
}

/**
 * Sends a file into the library. By XMLHttpRequest, since fetch does not tell how far an upload is.
 * @throws Refusal with the reason in words.
 */
export function uploadFile(
  file: File,
  { folderId, onProgress, signal }: UploadOptions,
): Promise<Asset> {
  const query = new URLSearchParams({
    name: file.name,
    ...(folderId !== null && { folderId }),
  });
  const request = new XMLHttpRequest();
  request.open("POST", publicAddress(`assets?${query.toString()}`));
  for (const [name, value] of Object.entries(pageHeaders()))
    request.setRequestHeader(name, value);
  request.setRequestHeader("content-type", "application/octet-stream");
  request.responseType = "json";
  request.upload.addEventListener("progress", ({ loaded, total }) =>
    onProgress(total === 0 ? 1 : loaded / total),
  );
  signal.addEventListener("abort", () => request.abort());
  return new Promise((resolve, reject) => {
    request.addEventListener("load", () => {
      const { status, response } = request;
      noteAnswer(status);
      if (status === 201) resolve(response);
      else reject(new Refusal(status, errorOf(response, status)));
    });
    request.addEventListener("error", () => reject(lost()));
    request.addEventListener("abort", () => reject(lost()));
    request.send(file);
  });
}

function lost(): Refusal {
  return new Refusal(0, "The upload was interrupted. Try it again.");
}

function errorOf(response: unknown, status: number): string {
  const isError =
    typeof response === "object" && response !== null && "error" in response;
  if (isError && typeof response.error === "string") return response.error;
  return `The service answered ${status} without a reason. Try again.`;
}
