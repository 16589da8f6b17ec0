import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { DraftFacts } from "../../../../../../../core/plugin-api/app-drafts.js";
import type {
  Component,
  ProjectData,
} from "../../../../../../../core/plugin-api/definition.js";
import { ask, wordsOf } from "../../../api.js";
import type { Editor } from "../../model/editor.js";
import { outward } from "../../scope/symbol-table.js";
import { expressionOf } from "../model/template-parts.js";
import { scopeAround } from "./chip-words.js";

/** What the service prints for a chip with the sample; or why it cannot. */
export interface Printed {
  text: string;
  fault: string | null;
}

const pauseMs = 200;

/** Asks the service, which merges as it does for documents, a moment after the last change; null until it answered. */
export function usePrinted(
  editor: Editor,
  owner: string | null,
  source: string,
): Printed | null {
  const printed = useSignal<Printed | null>(null);
  useEffect(() => {
    let isOver = false;
    const show = async () => {
      const found = await print(editor, owner, source);
      if (!isOver) printed.value = found;
    };
    const timer = setTimeout(() => void show(), pauseMs);
    return () => {
      clearTimeout(timer);
      isOver = true;
    };
  }, [editor, owner, source]);
  return printed.value;
}

async function print(
  editor: Editor,
  owner: string | null,
  source: string,
): Promise<Printed> {
  const definition = only(editor, owner, source);
  try {
    const facts = await ask<DraftFacts>("drafts/check", "POST", {
      templateType: "document",
      definition,
    });
    const [problem] = facts.problems;
    const text = facts.values[CHIP]?.[expressionOf(source)] ?? "";
    return { text, fault: problem?.message ?? null };
  } catch (error) {
    return { text: "", fault: wordsOf(error) };
  }
}

const CHIP = "chip";

/** A definition with nothing but the chip, in the first round of the collections around it. */
function only(
  editor: Editor,
  owner: string | null,
  source: string,
): ProjectData {
  const { schema, sample, locale, currency, timeZone } =
    editor.definition.peek();
  const chip: Component = { id: CHIP, type: "text", text: source };
  const content = outward(scopeAround(editor, owner)).reduce<Component>(
    (inner, { collection: { empty: _empty, ...collection } }) => ({
      type: "container",
      collection: { ...collection, limit: 1 },
      components: [inner],
    }),
    chip,
  );
  return {
    schema,
    components: [content],
    ...(sample !== undefined && { sample }),
    ...(locale !== undefined && { locale }),
    ...(currency !== undefined && { currency }),
    ...(timeZone !== undefined && { timeZone }),
  };
}
