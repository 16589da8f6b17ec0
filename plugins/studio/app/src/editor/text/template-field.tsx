import { useSignal } from "@preact/signals";
import { useId, useLayoutEffect } from "preact/hooks";
import type { Text } from "../../../../../../core/contract/definition.js";
import { useEditor } from "../model/editor-context.js";
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
export function TemplateField({
  id,
  label,
  value,
  owner,
  onChange,
  placeholder = "",
  isMultiline = false,
  hint,
  isBare = false,
  takesFocus = false,
  onEscape = blurred,
}: TemplateFieldProps) {
  const editor = useEditor();
  const text = useSignal<Text>(value);
  const own = useId();
  const hintId = `${own}-hint`;
  useLayoutEffect(() => {
    text.value = value;
  }, [value]);
  return (
    <div class="field">
      {!isBare && <span class="label">{label}</span>}
      <div
        class={`input template-field ${isMultiline ? "tall" : ""}`}
        onClick={({ currentTarget }) =>
          currentTarget.querySelector<HTMLElement>(".text-typing")?.focus()
        }
      >
        <TypedText
          key={owner}
          owner={owner}
          text={text}
          beside={PlainBeside}
          isPlain
          isMultiline={isMultiline}
          breakSource={"\n"}
          {...(takesFocus && { focusAt: "end" as const })}
          attributes={{
            id: id ?? own,
            "aria-label": label,
            "data-placeholder": placeholder,
            ...(hint !== undefined && { "aria-describedby": hintId }),
          }}
          onWrite={(written) => {
            // Without marks it is always a string.
            if (typeof written === "string") onChange(written);
          }}
          onLeave={(how) => {
            editor.endThread();
            if (how === "escape") onEscape();
          }}
        />
      </div>
      {hint !== undefined && (
        <span class="hint" id={hintId}>
          {hint}
        </span>
      )}
    </div>
  );
}

function blurred(): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement) activeElement.blur();
}
