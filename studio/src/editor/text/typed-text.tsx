import {
  effect,
  type ReadonlySignal,
  signal,
  untracked,
  useSignal,
} from "@preact/signals";
import { useLayoutEffect, useRef, useState, useId } from "preact/hooks";
import type { Text } from "../../../../core/plugin-api/definition.js";
import { useEditor } from "../model/editor-context.js";
import type { TextFormat } from "./paste.js";
import { ChipPopover } from "./chip-popover.js";
import { FieldMenu } from "./field-menu.js";
import {
  type Point,
  type SurfaceOptions,
  TextSurface,
} from "./text-surface.js";
import "./text.css";

/** The component's text on the page that is being edited; null for none. */
export const pageSurface = signal<TextSurface | null>(null);

interface TypedTextProps
  extends
    TextFormat,
    Pick<SurfaceOptions, "owner" | "onWrite" | "onLeave" | "attributes"> {
  /** The text in the definition. */
  text: ReadonlySignal<Text>;
  /** Takes the focus and sets the caret to this point of the window, or to the end. */
  focusAt?: Point | "end";
  /** Whether it is a component's text on the page, which the text bar formats. */
  isOnPage?: boolean;
}

/** An editable text with variables, its field menu and the settings of its chips. */
export function TypedText(props: TypedTextProps) {
  const editor = useEditor();
  const host = useRef<HTMLSpanElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const [surface, setSurface] = useState<TextSurface | null>(null);
  useLayoutEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    const { text, focusAt, isOnPage = false, ...rest } = latest.current;
    const created = new TextSurface(element, {
      ...rest,
      editor,
      text: text.peek(),
      onWrite: (...all) => latest.current.onWrite(...all),
      onLeave: (how) => latest.current.onLeave(how),
    });
    if (focusAt) created.focus(focusAt);
    setSurface(created);
    if (isOnPage) pageSurface.value = created;
    const stop = effect(() => {
      const current = text.value;
      untracked(() => created.sync(current));
    });
    return () => {
      if (pageSurface.peek() === created) pageSurface.value = null;
      stop();
      created.destroy();
    };
  }, []);
  return (
    <>
      <span class="text-typing" ref={host} />
      {surface && <TextPopups surface={surface} />}
    </>
  );
}

function TextPopups({ surface }: { surface: TextSurface }) {
  const position = surface.openChip.value;
  return (
    <>
      {position !== null && (
        <ChipPopover key={position} surface={surface} position={position} />
      )}
      {surface.trigger.open.value && <FieldMenu surface={surface} />}
    </>
  );
}

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
