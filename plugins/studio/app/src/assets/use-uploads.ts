import { useEffect, useRef, useState } from "preact/hooks";
import { wordsOf } from "../api.js";
import type { Asset } from "./asset.js";
import { uploadFile } from "./upload-file.js";

export interface Upload {
  id: string;
  file: File;
  /** From 0 to 1. */
  done: number;
  fault: string | null;
}

export interface Uploads {
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
