import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import {
  errorOf,
  noteAnswer,
  pageHeaders,
  publicAddress,
  Refusal,
  wordsOf,
} from "../api.js";
import { Button } from "../ui/button.js";
import { Icon } from "../ui/icon.js";
import {
  type Asset,
  AssetChanges,
  type AssetKind,
  assetKinds,
  kindWords,
} from "./assets.js";
import { t } from "../messages/index.js";

interface Upload {
  id: string;
  file: File;
  /** From 0 to 1. */
  done: number;
  fault: string | null;
  /** What was left out of the stored file. */
  changes: readonly string[];
}

interface Uploads {
  /** Running and failed uploads, and those of which something was left out. */
  all: readonly Upload[];
  /** Uploads one file after the other, so that the first is available soon. */
  add: (files: Iterable<File>) => Promise<void>;
  again: (upload: Upload) => Promise<void>;
  forget: (upload: Upload) => void;
}

/** Running uploads are aborted when the page is left. */
export function useUploads(
  folderId: string | null,
  onStored: (asset: Asset) => unknown,
): Uploads {
  const [all, setAll] = useState<readonly Upload[]>([]);
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);
  const patch = (id: string, changes: Partial<Upload>) =>
    setAll((now) =>
      now.map((upload) =>
        upload.id === id ? { ...upload, ...changes } : upload,
      ),
    );
  const forget = ({ id }: Upload) =>
    setAll((now) => now.filter((upload) => upload.id !== id));
  const send = async (upload: Upload) => {
    const { id, file } = upload;
    try {
      const asset = await uploadFile(file, {
        folderId,
        onProgress: (done) => patch(id, { done }),
        signal: leaving.current.signal,
      });
      const { changes = [] } = asset.details ?? {};
      if (changes.length > 0) patch(id, { changes });
      else forget(upload);
      await onStored(asset);
    } catch (error) {
      patch(id, { fault: wordsOf(error) });
    }
  };
  const add = async (files: Iterable<File>) => {
    const added = [...files].map(newUpload);
    setAll((now) => [...now, ...added]);
    for (const upload of added) await send(upload);
  };
  const again = async (upload: Upload) => {
    patch(upload.id, { done: 0, fault: null });
    await send(upload);
  };
  return { all, add, again, forget };
}

function newUpload(file: File): Upload {
  return { id: crypto.randomUUID(), file, done: 0, fault: null, changes: [] };
}

interface UploadOptions {
  folderId: string | null;
  /** From 0 to 1. */
  onProgress: (done: number) => void;
  signal: AbortSignal;
}

/**
 * Uses XMLHttpRequest, since fetch does not report upload progress.
 * @throws Refusal with a readable message.
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
  return new Refusal(0, t("assets.uploadInterrupted"));
}

export function UploadList({ uploads }: { uploads: Uploads }) {
  if (uploads.all.length === 0) return null;
  return (
    <ul class="card lines uploads" aria-label={t("assets.uploads")}>
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
  const { file, done, fault, changes } = upload;
  const isRunning = fault === null && changes.length === 0;
  return (
    <li class="line">
      <div class="words">
        <strong>{file.name}</strong>
        {fault !== null && <span class="why">{fault}</span>}
        <AssetChanges changes={changes} />
      </div>
      {isRunning ? (
        <progress
          aria-label={t("assets.uploadOfName", { name: file.name })}
          max={1}
          value={done}
        />
      ) : (
        <div class="row">
          {fault !== null && (
            <Button
              label={t("assets.uploadNameAgain", { name: file.name })}
              onPress={() => uploads.again(upload)}
            >
              {t("common.tryAgain")}
            </Button>
          )}
          <Button
            kind="quiet"
            isIcon
            label={t("assets.dismissName", { name: file.name })}
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
  /** Null accepts all kinds. */
  kind: AssetKind | null;
}

export function UploadButton({ uploads, kind }: UploadButtonProps) {
  const kinds = kind === null ? assetKinds : [kind];
  return (
    <label class="button primary upload">
      <Icon name="upload" />
      {t("assets.upload")}
      <input
        class="hidden-text"
        type="file"
        multiple
        accept={kinds.map((assetKind) => kindWords[assetKind].accept).join()}
        onChange={(event) => {
          const { files } = event.currentTarget;
          if (files) void uploads.add([...files]);
          // Allows choosing the same file again.
          event.currentTarget.value = "";
        }}
      />
    </label>
  );
}

interface DropZoneProps {
  /** Null when dropping is not allowed. */
  uploads: Uploads | null;
  children: ComponentChildren;
}

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
