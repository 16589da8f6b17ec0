import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useId, useLayoutEffect } from "preact/hooks";
import type { Text } from "../../../../../../core/plugin-api/definition.js";
import { useEditor } from "../model/editor.js";
import { PlainBeside } from "./plain-beside.js";
import { TypedText } from "./typed-text.js";

interface TemplateFieldProps {
  /** Of the field, where something else has to name it. */
  id?: string;
  label: string;
  /** A Template. */
  value: string;
  /** The component in which it stands; null for the page's own. */
  owner: string | null;
  onChange: (value: string) => void;
  placeholder?: string;
  isMultiline?: boolean;
  hint?: string;
  /** Where the label is shown by something else. */
  isBare?: boolean;
  /** Whether the caret goes into it when it appears. */
  takesFocus?: boolean;
  /** In place of leaving the field. */
  onEscape?: () => void;
}

/** A form's field for a text with variables, such as an address or a file's name. */
export function TemplateField(props: TemplateFieldProps) {
  const { label, hint, isMultiline = false, isBare = false } = props;
  const hintId = useId();
  return (
    <div class="field">
      {!isBare && <span class="label">{label}</span>}
      <div
        class={`input template-field ${isMultiline ? "tall" : ""}`}
        onClick={({ currentTarget }) =>
          currentTarget.querySelector<HTMLElement>(".text-typing")?.focus()
        }
      >
        <TypedTemplate {...props} hintId={hintId} />
      </div>
      {hint !== undefined && (
        <span class="hint" id={hintId}>
          {hint}
        </span>
      )}
    </div>
  );
}

function TypedTemplate({
  id,
  label,
  value,
  owner,
  onChange,
  placeholder = "",
  isMultiline = false,
  hint,
  hintId,
  takesFocus = false,
  onEscape = blurred,
}: TemplateFieldProps & { hintId: string }) {
  const editor = useEditor();
  const text = useFollowing(value);
  return (
    <TypedText
      key={owner}
      {...{ owner, text, isMultiline }}
      beside={PlainBeside}
      isPlain
      breakSource={"\n"}
      {...(takesFocus && { focusAt: "end" as const })}
      attributes={{
        ...(id !== undefined && { id }),
        "aria-label": label,
        "data-placeholder": placeholder,
        ...(hint !== undefined && { "aria-describedby": hintId }),
      }}
      // Without marks it is always a string.
      onWrite={(written) => {
        if (typeof written === "string") onChange(written);
      }}
      onLeave={(how) => {
        editor.endThread();
        if (how === "escape") onEscape();
      }}
    />
  );
}

function useFollowing(value: string): ReadonlySignal<Text> {
  const text = useSignal<Text>(value);
  useLayoutEffect(() => {
    text.value = value;
  }, [value]);
  return text;
}

function blurred(): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement) activeElement.blur();
}
