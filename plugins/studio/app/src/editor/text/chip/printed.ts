import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type {
  Component,
  ProjectData,
} from "../../../../../../../core/contract/definition.js";
import { askBytes, wordsOf } from "../../../api.js";
import type { Editor } from "../../model/editor.js";
import { outward } from "../../scope/scope-book.js";
import { scopeAround } from "./chip-words.js";

/** What the service prints for a chip with the sample; or why it cannot. */
export interface Printed {
  text: string;
  fault: string | null;
}

const pauseMs = 200;

/** Asks the production renderer, a moment after the last change; null until it answered. */
export function usePrinted(
  editor: Editor,
  owner: string | null,
  source: string,
): Printed | null {
  const printed = useSignal<Printed | null>(null);
  useEffect(() => {
    const cancel = new AbortController();
    const ask = async () => {
      const found = await print(editor, owner, source, cancel.signal);
      if (!cancel.signal.aborted) printed.value = found;
    };
    const timer = setTimeout(() => void ask(), pauseMs);
    return () => {
      clearTimeout(timer);
      cancel.abort();
    };
  }, [editor, owner, source]);
  return printed.value;
}

async function print(
  editor: Editor,
  owner: string | null,
  source: string,
  signal: AbortSignal,
): Promise<Printed> {
  const definition = only(editor, owner, source);
  const body = { templateType: "document", definition, format: "html" };
  try {
    const page = await (await askBytes("drafts/print", body, signal)).text();
    const { body: shown } = new DOMParser().parseFromString(page, "text/html");
    const content = shown.querySelector("main") ?? shown;
    return { text: content.textContent.trim(), fault: null };
  } catch (error) {
    return { text: "", fault: wordsOf(error) };
  }
}

/** A definition with nothing but the chip, in the first round of the collections around it. */
function only(
  editor: Editor,
  owner: string | null,
  source: string,
): ProjectData {
  const { schema, sample, locale, currency, timeZone } =
    editor.definition.peek();
  const chip: Component = { type: "text", text: source };
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
