import type { Signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ProjectData } from "../../../../../../core/contract/definition.js";
import type { Editor } from "../model/editor.js";
import { join } from "../session/join/join.js";
import { withKeptIds } from "./keep-ids.js";
import { readJson } from "./read-json.js";

const pauseMs = 250;

/** What was typed and is not applied yet. */
export interface TypedText {
  text: string;
  /** What the template was when the typing began. */
  base: ProjectData;
}

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
 * A definition as text that can be typed in. What is sound goes into the model at once, joined with what others did
 * meanwhile; what is not stays as it was typed, with the reason, also while another view is shown.
 */
export function useTypedJson(
  editor: Editor,
  kept: Signal<TypedText | null>,
): TypedJson {
  const definition = editor.definition.value;
  const [text, setText] = useState(
    () => kept.peek()?.text ?? written(definition),
  );
  const [fault, setFault] = useState(() => faultIn(kept.peek()));
  /** The definition that the text says. */
  const shown = useRef(kept.peek()?.base ?? definition);
  const show = (now: ProjectData) => {
    shown.current = now;
    setText(written(now));
  };
  const latest = useRef(() => {});
  // Also before another view is shown.
  latest.current = () => {
    const typed = kept.peek();
    if (!typed) return;
    const reading = readJson(typed.text);
    setFault(reading.fault === null ? null : reading);
    if (reading.fault !== null) return;
    kept.value = null;
    const isAlone = apply(editor, reading.definition, typed.base);
    shown.current = editor.definition.peek();
    if (!isAlone) show(shown.current);
  };
  useEffect(() => {
    // Changed elsewhere: by undo, by somebody else.
    if (definition !== shown.current && !kept.peek()) show(definition);
  }, [definition, kept]);
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => () => latest.current(), []);
  return {
    text,
    fault: fault?.fault ?? null,
    faultAt: fault?.at ?? 0,
    type: (typed) => {
      kept.value = { text: typed, base: shown.current };
      setText(typed);
    },
    reset: () => {
      kept.value = null;
      setFault(null);
      show(editor.definition.peek());
    },
  };
}

/** @returns whether nobody else has changed anything since the typing began */
function apply(editor: Editor, typed: ProjectData, base: ProjectData): boolean {
  const mine = withKeptIds(typed, base);
  const theirs = editor.definition.peek();
  const isAlone = theirs === base;
  const after = isAlone ? mine : join({ base, mine, theirs }).definition;
  editor.replace("Edit as JSON", after, "json");
  return isAlone;
}

function written(definition: ProjectData): string {
  return JSON.stringify(definition, null, 2);
}

function faultIn(typed: TypedText | null) {
  if (typed === null) return null;
  const reading = readJson(typed.text);
  return reading.fault === null ? null : reading;
}
