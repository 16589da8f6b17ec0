import "./chip-popover.css";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "../../../ui/button.js";
import { Icon } from "../../../ui/icon.js";
import type { Editor } from "../../model/editor.js";
import { expressionOf } from "../model/template-parts.js";
import { sourceOf } from "../model/text-schema.js";
import { Overlay } from "../overlay.js";
import { chipAnchor } from "../surface/anchors.js";
import { removeChip, setChip } from "../surface/surface-edits.js";
import type { TextSurface } from "../surface/text-surface.js";
import { ChipFormat } from "./chip-format.js";
import { readChip, writeChip } from "./chip-value.js";
import { chipWords } from "./chip-words.js";
import { FormulaField } from "./formula-field.js";
import { usePrinted } from "./printed.js";

interface ChipPopoverProps {
  surface: TextSurface;
  place: number;
}

/** How one variable is shown: its format, what stands for it when it is empty, and what it prints with the sample. */
export function ChipPopover({ surface, place }: ChipPopoverProps) {
  const box = useRef<HTMLDivElement>(null);
  const { editor, owner } = surface.options;
  void surface.moves.value;
  const node = surface.view.state.doc.nodeAt(place);
  const source = node?.type.name === "chip" ? sourceOf(node.attrs) : "";
  const close = () => {
    surface.openChip.value = null;
    surface.view.focus();
  };
  useFocusInside(box);
  useOwnStep(editor);
  useLeaving(box, surface);
  if (source === "") return null;
  const { words, isFormula } = chipWords(editor, owner, source);
  return (
    <Overlay
      anchor={chipAnchor(surface, place)}
      placement="bottom-start"
      class="chip-popover"
      role="dialog"
      label={isFormula ? "Formula" : words}
      onLeave={() => {
        surface.openChip.value = null;
        surface.options.onLeave("blur");
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        close();
      }}
    >
      <div class="chip-settings" ref={box}>
        <ChipSettings {...{ surface, place, source }} />
        <ChipEnd onRemove={() => removeChip(surface, place)} onDone={close} />
      </div>
    </Overlay>
  );
}

function ChipEnd(props: { onRemove: () => void; onDone: () => void }) {
  return (
    <footer class="chip-end">
      <Button kind="quiet" onPress={props.onRemove}>
        <Icon name="trash" size={16} />
        Remove
      </Button>
      <Button kind="primary" onPress={props.onDone}>
        Done
      </Button>
    </footer>
  );
}

function ChipSettings({
  surface,
  place,
  source,
}: ChipPopoverProps & { source: string }) {
  const { editor, owner, isPlain } = surface.options;
  const printed = usePrinted(editor, owner, source);
  const value = readChip(source);
  const { words, isFormula } = chipWords(editor, owner, source);
  // It stays open while a formula is on its way through what is none.
  const [isAdvanced] = useState(!value);
  const set = (next: string) => setChip(surface, place, next);
  return (
    <>
      <header class="chip-head">
        <strong>{isFormula ? "Formula" : words}</strong>
        {value?.base.kind === "path" && <code>{value.base.path}</code>}
      </header>
      <p
        class={`chip-printed ${printed?.fault ? "bad" : ""}`}
        aria-live="polite"
      >
        {printedWords(printed)}
      </p>
      {value && (
        <ChipFormat
          surface={surface}
          value={value}
          mayMarkdown={!isPlain}
          onChange={(next) => set(writeChip(next))}
        />
      )}
      <details class="chip-advanced" open={isAdvanced}>
        <summary>Advanced</summary>
        <FormulaField source={expressionOf(source)} onChange={set} />
      </details>
    </>
  );
}

/** What is set while it is open is taken back together, and apart from what was typed. */
function useOwnStep(editor: Editor): void {
  useLayoutEffect(() => {
    editor.endThread();
    return () => editor.endThread();
  }, []);
}

function printedWords(printed: ReturnType<typeof usePrinted>) {
  if (!printed) return "…";
  if (printed.fault !== null) return printed.fault;
  if (printed.text === "") return "Nothing is printed with the sample.";
  return (
    <>
      Prints <b>{printed.text}</b>
    </>
  );
}

/** The first setting has the focus, as in any dialog. */
function useFocusInside(box: { current: HTMLDivElement | null }): void {
  useLayoutEffect(() => {
    const fields = "select, input, textarea, button";
    box.current?.querySelector<HTMLElement>(fields)?.focus();
  }, []);
}

/** A press anywhere else closes it. */
function useLeaving(
  box: { current: HTMLDivElement | null },
  surface: TextSurface,
): void {
  useLayoutEffect(() => {
    const press = ({ target }: PointerEvent) => {
      const isInside = target instanceof Node && box.current?.contains(target);
      if (isInside) return;
      surface.openChip.value = null;
      const isInText =
        target instanceof Node && surface.view.dom.contains(target);
      if (!isInText) surface.options.onLeave("blur");
    };
    document.addEventListener("pointerdown", press, { capture: true });
    return () =>
      document.removeEventListener("pointerdown", press, { capture: true });
  }, []);
}
