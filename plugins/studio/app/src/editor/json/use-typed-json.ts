import type { Signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ProjectData } from "../../../../../../core/contract/definition.js";
import type { Editor } from "../model/editor.js";
import { withKeptIds } from "./keep-ids.js";
import { readJson } from "./read-json.js";

const pauseMs = 250;

export interface TypedJson {
  text: string;
  /** Why it is not applied; null when the template is as the text says. */
  fault: string | null;
  /** Where that is, in characters. */
  faultAt: number;
  type: (text: string) => void;
  /** Back to the template as it is. */
  reset: () => void;
}

/**
 * A definition as text that can be typed in. What is sound goes into the model at once; what is not stays as it was
 * typed, with the reason, also while another view is shown.
 * @param kept holds such text
 */
export function useTypedJson(
  editor: Editor,
  kept: Signal<string | null>,
): TypedJson {
  const definition = editor.definition.value;
  const [text, setText] = useState(() => kept.peek() ?? written(definition));
  const [fault, setFault] = useState(() => faultIn(kept.peek()));
  const applied = useRef<ProjectData>(definition);
  const latest = useRef(() => {});
  useEffect(() => {
    // Changed elsewhere: by undo, by somebody else.
    if (definition === applied.current || kept.peek() !== null) return;
    applied.current = definition;
    setText(written(definition));
  }, [definition, kept]);
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => () => latest.current(), []);
  const apply = () => {
    const reading = readJson(text);
    setFault(reading.fault === null ? null : reading);
    if (reading.fault !== null) return;
    kept.value = null;
    const before = editor.definition.peek();
    editor.replace(
      "Edit as JSON",
      withKeptIds(reading.definition, before),
      "json",
    );
    applied.current = editor.definition.peek();
  };
  // Before another view is shown, too.
  latest.current = () => {
    if (kept.peek() !== null) apply();
  };
  return {
    text,
    fault: fault?.fault ?? null,
    faultAt: fault?.at ?? 0,
    type: (typed) => {
      kept.value = typed;
      setText(typed);
    },
    reset: () => {
      kept.value = null;
      applied.current = editor.definition.peek();
      setFault(null);
      setText(written(editor.definition.peek()));
    },
  };
}

function written(definition: ProjectData): string {
  return JSON.stringify(definition, null, 2);
}

function faultIn(text: string | null) {
  if (text === null) return null;
  const reading = readJson(text);
  return reading.fault === null ? null : reading;
}
