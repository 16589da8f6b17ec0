import type {
  RunDocument,
  RunProgress,
} from "../../integrations/platforms/index.js";
import { kindOf, sizeInWords } from "./file-words.js";

/** One document in the list. */
export interface ProgressItem {
  name: string;
  /** Waits, is worked on, is good, is made but not saved, or is not made. */
  mark: "wait" | "busy" | "good" | "warn" | "bad";
  state: string;
  /** For whoever made the link. */
  detail: string | null;
  files: { url: string; name: string; kind: string; size: string }[];
}

/** A run as its page shows it. */
export interface ProgressView {
  total: number;
  ready: number;
  lost: number;
  /** Files that could not be saved in the table. */
  unsaved: number;
  isOver: boolean;
  /** All are made, and some not saved yet. */
  isSaving: boolean;
  /** Where they are saved; null: nowhere. */
  field: string | null;
  value: number;
  max: number;
  items: ProgressItem[];
  /** Documents that are not listed. */
  more: number;
}

export function progressView(
  run: RunProgress,
  field: string | null,
): ProgressView {
  const { total, ready, lost, writeBack, isOver, documents } = run;
  const saved = (writeBack?.succeeded ?? 0) + (writeBack?.failed ?? 0);
  const isSavingToo = writeBack !== null;
  return {
    total,
    ready,
    lost,
    unsaved: writeBack?.failed ?? 0,
    isOver,
    isSaving: !isOver && ready + lost === total,
    field: isSavingToo ? field : null,
    value: ready + lost + (isSavingToo ? saved + lost : 0),
    max: isSavingToo ? 2 * total : total,
    items: documents.map(progressItem),
    more: total - documents.length,
  };
}

function progressItem(document: RunDocument): ProgressItem {
  const files = document.files.map(({ url, name, sizeBytes }) => ({
    url,
    name,
    kind: kindOf(name),
    size: sizeInWords(sizeBytes),
  }));
  return { name: document.name, files, ...stateOf(document) };
}

type State = Pick<ProgressItem, "mark" | "state" | "detail">;

function stateOf(document: RunDocument): State {
  const { status, error } = document;
  if (status === "succeeded") return savedState(document);
  if (status === "queued")
    return { mark: "wait", state: "Waiting for its turn", detail: null };
  if (status === "rendering")
    return { mark: "busy", state: "Being made…", detail: null };
  const state =
    status === "expired"
      ? "Not made: it took too long."
      : "Not made: something in the record or the template does not fit.";
  return { mark: "bad", state, detail: error };
}

function savedState({ writeBack }: RunDocument): State {
  if (writeBack === null) return { mark: "good", state: "Ready", detail: null };
  const where = `“${writeBack.field}”`;
  if (writeBack.state === "saved")
    return { mark: "good", state: `Saved in ${where}`, detail: null };
  if (writeBack.state === "pending")
    return { mark: "busy", state: `Being saved in ${where}…`, detail: null };
  return {
    mark: "warn",
    state: `Made, but not saved in ${where}.`,
    detail: writeBack.error,
  };
}
