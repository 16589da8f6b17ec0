import type { ContentBlock } from "@modelcontextprotocol/server";
import { errorText, PlatenError } from "../../plugin-api/index.js";
import type { Preview } from "../../documents/index.js";
import type { TemplateDraft } from "../../templates/index.js";
import { jsonText, pictureBlock } from "../call/content.js";
import { listProblems } from "../call/list-problems.js";
import type { Session } from "../session.js";
import type { ToolServices } from "./services.js";

/** A draft with all that was found in it and, when it could be saved, its picture. */
export async function showDraft(
  { draftPreviews }: Pick<ToolServices, "draftPreviews">,
  { caller, signal }: Pick<Session, "caller"> & { signal: AbortSignal },
  draft: TemplateDraft,
): Promise<ContentBlock[]> {
  const { template, problems, warnings } = draft;
  const told = {
    dryRun: true,
    isValid: template !== null,
    ...listProblems("problems", problems),
    ...listProblems("warnings", warnings),
  };
  if (template === null) return [jsonText(told)];
  try {
    const pictures = await draftPreviews.draw(
      caller.organizationId,
      template,
      signal,
    );
    return [jsonText(told), ...pictures.map(pictureOf)];
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    return [jsonText({ ...told, previewProblem: errorText(error) })];
  }
}

export function pictureOf({ bytes }: Preview): ContentBlock {
  return pictureBlock(bytes, "image/png");
}
