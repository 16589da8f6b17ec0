import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useId, useLayoutEffect } from "preact/hooks";
import type { Text } from "../../../../../../core/plugin-api/definition.js";
import { useEditor } from "../model/editor-context.js";
import { TypedText } from "./typed-text.js";

interface TemplateFieldProps {
  /** Of the text box, for elements that refer to it. */
  id?: string;
  label: string;
  /** A Template. */
  value: string;
  /** The component that the text belongs to; null for a text of the page. */
  owner: string | null;
  onChange: (value: string) => void;
  placeholder?: string;
  isMultiline?: boolean;
  hint?: string;
  /** Hides the label, if another element shows it. */
  isBare?: boolean;
  /** Whether the field takes the focus when it is mounted. */
  takesFocus?: boolean;
  /** Replaces the default action of Escape, which is to leave the field. */
  onEscape?: () => void;
}

/** A form field for a text with variables, such as a URL or a file name. */
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
  onEscape = blurActiveElement,
}: TemplateFieldProps & { hintId: string }) {
  const editor = useEditor();
  const text = useSyncedSignal(value);
  return (
    <TypedText
      key={owner}
      {...{ owner, text, isMultiline }}

      isPlain
      breakSource={"\n"}
      {...(takesFocus && { focusAt: "end" as const })}
      attributes={{
        ...(id !== undefined && { id }),
        "aria-label": label,
        "data-placeholder": placeholder,
        ...(hint !== undefined && { "aria-describedby": hintId }),
      }}
      // A plain text is always a string.
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

function useSyncedSignal(value: string): ReadonlySignal<Text> {
  const text = useSignal<Text>(value);
  useLayoutEffect(() => {
    text.value = value;
  }, [value]);
  return text;
}

function blurActiveElement(): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement) activeElement.blur();
}
