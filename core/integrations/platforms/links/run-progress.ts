import type { BatchView } from "../../../batches/index.js";
import type {
  DocumentStatus,
  Link,
  LinkRun,
} from "../../../storage/database/index.js";

/** A file that is ready. */
export interface RunFile {
  url: string;
  name: string;
  label: string;
  sizeBytes: number;
}

/** Where a document's files are on their way into its record; null: nowhere. */
export type RunWriteBack =
  | { state: "pending"; field: string }
  | { state: "saved"; field: string }
  | { state: "failed"; field: string; error: string }
  | null;

export interface RunDocument {
  recordId: string;
  /** As people know the record; its id when that is all there is. */
  name: string;
  status: DocumentStatus;
  /** Of one that failed. */
  error: string | null;
  files: RunFile[];
  writeBack: RunWriteBack;
}

/** How far a run is. */
export interface RunProgress {
  total: number;
  /** Documents that are ready. */
  ready: number;
  /** Documents that will not be. */
  lost: number;
  writeBack: { pending: number; succeeded: number; failed: number } | null;
  /** Nothing will change any more, unless someone asks for it. */
  isOver: boolean;
  /** Until when files can be downloaded, ISO 8601; null while there is none. */
  filesUntil: string | null;
  /** The first hundred. */
  documents: RunDocument[];
}

export function runProgress(
  link: Link,
  run: LinkRun,
  batch: BatchView,
): RunProgress {
  const { counts, writeBack, totalCount, status } = batch;
  const pending = writeBack?.pending ?? 0;
  return {
    total: totalCount,
    ready: counts.succeeded,
    lost: counts.failed + counts.expired,
    writeBack,
    isOver: status === "completed" && pending === 0,
    filesUntil: batch.documents.find(isReady)?.expiresAt ?? null,
    documents: batch.documents.map((document) =>
      runDocument(link, run, document),
    ),
  };
}

type Document = BatchView["documents"][number];

function isReady({ status }: Document): boolean {
  return status === "succeeded";
}

function runDocument(
  link: Link,
  run: LinkRun,
  document: Document,
): RunDocument {
  const recordId = asText(document.metadata?.["recordId"]);
  const { status, error = null, outputs } = document;
  return {
    recordId,
    name: run.names[recordId] ?? recordId,
    status,
    error,
    files: outputs.map((output) => ({
      url: output.url,
      name: fileNameOf(output.url),
      label: output.label,
      sizeBytes: output.sizeBytes,
    })),
    writeBack: writeBackOf(link, document),
  };
}

function writeBackOf(
  { fieldName, fieldId }: Link,
  { status, metadata }: Document,
): RunWriteBack {
  if (fieldId === null || status !== "succeeded") return null;
  const field = fieldName ?? fieldId;
  const told = asRecord(asRecord(metadata?.["platen"])["writeBack"]);
  if (told["status"] === "succeeded") return { state: "saved", field };
  if (told["status"] !== "failed") return { state: "pending", field };
  return { state: "failed", field, error: asText(told["error"]) };
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function fileNameOf(url: string): string {
  const last = new URL(url).pathname.split("/").at(-1) ?? "";
  return decodeURIComponent(last);
}
