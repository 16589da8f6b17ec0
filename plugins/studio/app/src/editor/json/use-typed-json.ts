import type { Signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ProjectData } from "../../../../../../core/plugin-api/definition.js";
import type { Editor } from "../model/editor.js";
import { join } from "../session/join/join.js";
import { withKeptIds } from "./keep-ids.js";
import { type Reading, readJson } from "./read-json.js";

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
  const begun = kept.peek();
  const [text, setText] = useState(() => begun?.text ?? written(definition));
  const [fault, setFault] = useState(() => faultIn(begun));
  /** The definition that the text says. */
  const shown = useRef(begun?.base ?? definition);
  const show = (now: ProjectData) => {
    shown.current = now;
    setText(written(now));
  };
  const commit = () => {
    const typed = kept.peek();
    if (!typed) return;
    const reading = readJson(typed.text);
    setFault(faultOf(reading));
    if (reading.fault !== null) return;
    kept.value = null;
    const isAlone = apply(editor, reading.definition, typed.base);
    if (isAlone) shown.current = editor.definition.peek();
    else show(editor.definition.peek());
  };
  useCommit(text, commit);
  useEffect(() => {
    // Changed elsewhere: by undo, by somebody else.
    if (definition !== shown.current && !kept.peek()) show(definition);
  }, [definition, kept]);
  const type = (typed: string) => {
    kept.value = { text: typed, base: shown.current };
    setText(typed);
  };
  const reset = () => {
    kept.value = null;
    setFault(null);
    show(editor.definition.peek());
  };
  return { text, ...(fault ?? noFault), type, reset };
}

const noFault = { fault: null, faultAt: 0 };

/** A moment after the last letter, and before another view is shown. */
function useCommit(text: string, commit: () => void): void {
  const latest = useRef(commit);
  latest.current = commit;
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => () => latest.current(), []);
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
  return faultOf(readJson(typed.text));
}

function faultOf(reading: Reading) {
  if (reading.fault === null) return null;
  return { fault: reading.fault, faultAt: reading.at };
}
