import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import {
  wordsOf,
  publicAddress,
  Refusal,
  noteAnswer,
  pageHeaders,
} from "../api.js";
import { Button } from "../ui/button.js";
import { Icon } from "../ui/icon.js";
import { type Asset, type AssetKind, assetKinds, kindWords } from "./assets.js";

interface Upload {
  id: string;
  file: File;
  /** From 0 to 1. */
  done: number;
  fault: string | null;
}

interface Uploads {
  /** Those on their way, and those that failed. */
  all: readonly Upload[];
  /** One after the other, so that the first is there soon. */
  add: (files: Iterable<File>) => Promise<void>;
  again: (upload: Upload) => Promise<void>;
  forget: (upload: Upload) => void;
}

/** Files on their way into a folder of the library; what still runs when the page is left is given up. */
export function useUploads(
  folderId: string | null,
  onStored: (asset: Asset) => unknown,
): Uploads {
  const [all, setAll] = useState<readonly Upload[]>([]);
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);
  const patch = (id: string, changes: Partial<Upload>) =>
    setAll((now) =>
      now.map((one) => (one.id === id ? { ...one, ...changes } : one)),
    );
  const forget = ({ id }: Upload) =>
    setAll((now) => now.filter((one) => one.id !== id));
  const send = async (upload: Upload) => {
    const { id, file } = upload;
    try {
      const asset = await uploadFile(file, {
        folderId,
        onProgress: (done) => patch(id, { done }),
        signal: leaving.current.signal,
      });
      forget(upload);
      await onStored(asset);
    } catch (error) {
      patch(id, { fault: wordsOf(error) });
    }
  };
  const add = async (files: Iterable<File>) => {
    const added = [...files].map(newUpload);
    setAll((now) => [...now, ...added]);
    for (const one of added) await send(one);
  };
  const again = async (upload: Upload) => {
    patch(upload.id, { done: 0, fault: null });
    await send(upload);
  };
  return { all, add, again, forget };
}

function newUpload(file: File): Upload {
  return { id: crypto.randomUUID(), file, done: 0, fault: null };
}

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
function uploadFile(
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

/** What is on its way, how far it is, and what went wrong. */
export function UploadList({ uploads }: { uploads: Uploads }) {
  if (uploads.all.length === 0) return null;
  return (
    <ul class="card lines uploads" aria-label="Uploads">
      {uploads.all.map((upload) => (
        <UploadLine upload={upload} uploads={uploads} key={upload.id} />
      ))}
    </ul>
  );
}

interface UploadLineProps {
  upload: Upload;
  uploads: Uploads;
}

function UploadLine({ upload, uploads }: UploadLineProps) {
  const { file, done, fault } = upload;
  return (
    <li class="line">
      <div class="words">
        <strong>{file.name}</strong>
        {fault !== null && <span class="why">{fault}</span>}
      </div>
      {fault === null ? (
        <progress aria-label={`Upload of ${file.name}`} max={1} value={done} />
      ) : (
        <div class="row">
          <Button
            label={`Upload ${file.name} again`}
            onPress={() => uploads.again(upload)}
          >
            Try again
          </Button>
          <Button
            kind="quiet"
            isIcon
            label={`Forget ${file.name}`}
            onPress={() => uploads.forget(upload)}
          >
            <Icon name="close" />
          </Button>
        </div>
      )}
    </li>
  );
}

interface UploadButtonProps {
  uploads: Uploads;
  /** null: whatever the library takes. */
  kind: AssetKind | null;
}

/** Asks for files and sends them. */
export function UploadButton({ uploads, kind }: UploadButtonProps) {
  const kinds = kind === null ? assetKinds : [kind];
  return (
    <label class="button primary upload">
      <Icon name="upload" />
      Upload
      <input
        class="hidden-text"
        type="file"
        multiple
        accept={kinds.map((one) => kindWords[one].accept).join()}
        onChange={(event) => {
          const { files } = event.currentTarget;
          if (files) void uploads.add([...files]);
          // The same file may be chosen once more.
          event.currentTarget.value = "";
        }}
      />
    </label>
  );
}

interface DropZoneProps {
  /** null: nothing may be dropped here. */
  uploads: Uploads | null;
  children: ComponentChildren;
}

/** Takes files that are let go over it. */
export function DropZone({ uploads, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  if (!uploads) return <div class="drop-zone">{children}</div>;
  const over = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    setOver(false);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void uploads.add(files);
  };
  return (
    <div
      class={`drop-zone ${isOver ? "over" : ""}`}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {children}
    </div>
  );
}
