// Runs in the thread that pdf-finisher.ts keeps.
import { PlatenError } from "../../plugin-api/index.js";
import type { FinishAnswer, FinishRequest } from "./finish-messages.js";
import { finishPdf } from "./finish-pdf.js";

export async function finishInThread({
  printed,
  finishing,
}: FinishRequest): Promise<FinishAnswer> {
  try {
    return await finishPdf(printed, finishing);
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    const { code, message, problems } = error;
    return { code, message, problems };
  }
}
