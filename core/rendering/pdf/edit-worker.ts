// Runs in the worker thread of pdf-editor.ts.
import {
  type ErrorCode,
  PlatenError,
  type Problem,
} from "../../plugin-api/index.js";
import { editPdf } from "./edit-pdf.js";
import type { EditedBytes, Finishing } from "./pdf-edits.js";

export interface EditRequest {
  printed: Uint8Array;
  finishing: Finishing;
}

/** An error loses its class between threads, so a rejection is sent as its parts. */
export type EditResponse =
  | EditedBytes
  | { code: ErrorCode; message: string; problems: readonly Problem[] };

export async function editInThread({
  printed,
  finishing,
}: EditRequest): Promise<EditResponse> {
  try {
    return await editPdf(printed, finishing);
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    const { code, message, problems } = error;
    return { code, message, problems };
  }
}
