import type {
  DraftFacts,
  DraftView,
} from "../../../../../../core/plugin-api/app-drafts.js";
import { ask } from "../../api.js";
import type { Editor } from "../model/editor.js";

/** Asks the checker; of an answer that was overtaken, nothing is kept. */
export async function checkDraft(
  editor: Editor,
  { templateType, templateId }: DraftView,
): Promise<void> {
  const definition = editor.definition.peek();
  const body = { templateType, templateId, definition };
  const facts = await ask<DraftFacts>("drafts/check", "POST", body).catch(
    () => null,
  );
  if (facts && editor.definition.peek() === definition)
    editor.facts.value = facts;
}
