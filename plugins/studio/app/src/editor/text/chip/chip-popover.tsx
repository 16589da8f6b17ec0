import { useSignal } from "@preact/signals";
import {
  useLayoutEffect,
  useRef,
  useState,
  useEffect,
  useId,
} from "preact/hooks";
import type { DraftAnalysis } from "../../../../../../../core/plugin-api/app-drafts.js";
import type {
  Component,
  ProjectData,
} from "../../../../../../../core/plugin-api/definition.js";
import { ask, wordsOf } from "../../../api.js";
import { Button } from "../../../ui/button.js";
import { Icon } from "../../../ui/icon.js";
import { useInputText } from "../../../ui/form.js";
import type { Editor } from "../../model/editor.js";
import { outward } from "../../scope/symbol-table.js";
import { getSource } from "../text-document.js";
import { type Anchor, Overlay } from "../overlay.js";

import type { TextSurface } from "../text-surface.js";
import { getExpression, isChip } from "../template-parts.js";
import { ChipFormat } from "./chip-format.js";
import { parseChip, serializeChip, getChipLabel, findScope } from "./chip.js";
import { t } from "../../../messages/index.js";
import { rich } from "../../../messages/rich.js";

interface ChipPopoverProps {
  surface: TextSurface;
  /** Of the chip in the document. */
  position: number;
}

/** The settings of one chip: its format, its fallback, and a preview with the sample. */
export function ChipPopover({ surface, position }: ChipPopoverProps) {
  const box = useRef<HTMLDivElement>(null);
  const { editor, owner } = surface.options;
  void surface.moves.value;
  const node = surface.view.state.doc.nodeAt(position);
  const source = node?.type.name === "chip" ? getSource(node.attrs) : "";
  const close = () => {
    surface.openChip.value = null;
    surface.view.focus();
  };
  useFocusInside(box);
  useOwnStep(editor);
  useOutsidePress(box, surface);
  if (source === "") return null;
  const { label, isFormula } = getChipLabel(editor, owner, source);
  return (
    <Overlay
      anchor={getChipAnchor(surface, position)}
      placement="bottom-start"
      class="chip-popover"
      role="dialog"
      label={isFormula ? t("rules.formula") : label}
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
        <ChipSettings {...{ surface, position, source }} />
        <ChipActions
          onRemove={() => surface.removeChip(position)}
          onDone={close}
        />
      </div>
    </Overlay>
  );
}

function getChipAnchor({ view }: TextSurface, position: number): Anchor {
  return {
    element: view.dom,
    rect: () => {
      const node = view.nodeDOM(position);
      const element = node instanceof Element ? node : view.dom;
      return element.getBoundingClientRect();
    },
  };
}

function ChipActions(props: { onRemove: () => void; onDone: () => void }) {
  return (
    <footer class="chip-end">
      <Button kind="quiet" onPress={props.onRemove}>
        <Icon name="trash" size={16} />
        {t("common.remove")}
      </Button>
      <Button kind="primary" onPress={props.onDone}>
        {t("common.done")}
      </Button>
    </footer>
  );
}

function ChipSettings({
  surface,
  position,
  source,
}: ChipPopoverProps & { source: string }) {
  const { editor, owner, isPlain } = surface.options;
  const preview = useChipPreview(editor, owner, source);
  const value = parseChip(source);
  const { label, isFormula } = getChipLabel(editor, owner, source);
  // Computed once, so that the section stays open while a formula is edited.
  const [isAdvanced] = useState(!value);
  const set = (next: string) => surface.setChip(position, next);
  return (
    <>
      <header class="chip-head">
        <strong>{isFormula ? t("rules.formula") : label}</strong>
        {value?.base.kind === "path" && <code>{value.base.path}</code>}
      </header>
      <p
        class={`chip-printed ${preview?.error ? "bad" : ""}`}
        aria-live="polite"
      >
        <PreviewText preview={preview} />
      </p>
      {value && (
        <ChipFormat
          surface={surface}
          value={value}
          mayMarkdown={!isPlain}
          onChange={(next) => set(serializeChip(next))}
        />
      )}
      <details class="chip-advanced" open={isAdvanced}>
        <summary>{t("text.advanced")}</summary>
        <FormulaField source={getExpression(source)} onChange={set} />
      </details>
    </>
  );
}

/** All changes made while the popover is open are one undo step, separate from typing. */
function useOwnStep(editor: Editor): void {
  useLayoutEffect(() => {
    editor.endThread();
    return () => editor.endThread();
  }, []);
}

function PreviewText({ preview }: { preview: ChipPreview | null }) {
  if (!preview) return <>…</>;
  if (preview.error !== null) return <>{preview.error}</>;
  if (preview.text === "") return <>{t("text.emptyWithSampleData")}</>;
  return (
    <>
      {rich(
        "text.printsText",
        { b: (text) => <b>{text}</b> },
        { text: preview.text },
      )}
    </>
  );
}

/** Focuses the first setting, as in any dialog. */
function useFocusInside(box: { current: HTMLDivElement | null }): void {
  useLayoutEffect(() => {
    const fields = "select, input, textarea, button";
    box.current?.querySelector<HTMLElement>(fields)?.focus();
  }, []);
}

/** Closes the popover when the pointer is pressed outside of it. */
function useOutsidePress(
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

/** A chip as the service prints it with the sample, or the error. */
interface ChipPreview {
  text: string;
  error: string | null;
}

const DEBOUNCE_MS = 200;

/** Requests a preview shortly after the last change; null until the first response. */
function useChipPreview(
  editor: Editor,
  owner: string | null,
  source: string,
): ChipPreview | null {
  const preview = useSignal<ChipPreview | null>(null);
  useEffect(() => {
    let isCanceled = false;
    const show = async () => {
      const found = await requestPreview(editor, owner, source);
      if (!isCanceled) preview.value = found;
    };
    const timer = setTimeout(() => void show(), DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      isCanceled = true;
    };
  }, [editor, owner, source]);
  return preview.value;
}

async function requestPreview(
  editor: Editor,
  owner: string | null,
  source: string,
): Promise<ChipPreview> {
  const definition = createPreviewDefinition(editor, owner, source);
  try {
    const facts = await ask<DraftAnalysis>("drafts/check", "POST", {
      templateType: "document",
      definition,
    });
    const [problem] = facts.problems;
    const text = facts.values[CHIP_ID]?.[getExpression(source)] ?? "";
    return { text, error: problem?.message ?? null };
  } catch (error) {
    return { text: "", error: wordsOf(error) };
  }
}

const CHIP_ID = "chip";

/** A definition that prints only the chip, for the first item of each collection around it. */
function createPreviewDefinition(
  editor: Editor,
  owner: string | null,
  source: string,
): ProjectData {
  const { schema, sample, locale, currency, timeZone } =
    editor.definition.peek();
  const chip: Component = { id: CHIP_ID, type: "text", text: source };
  const content = outward(findScope(editor, owner)).reduce<Component>(
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

interface FormulaFieldProps {
  /** The expression, without its braces. */
  source: string;
  /** Called with the source of a chip. */
  onChange: (source: string) => void;
}

/** Edits the expression as text. Text that is not one expression is kept in the field and not passed on. */
function FormulaField({ source, onChange }: FormulaFieldProps) {
  const id = useId();
  const [typed, setTyped] = useInputText(source);
  const handleInput = (text: string) => {
    const next = text.trim();
    const chip = `{{ ${next} }}`;
    const isValid = next !== "" && isChip(chip);
    setTyped(text, isValid ? next : source);
    if (isValid) onChange(chip);
  };
  return (
    <div class="field">
      <label for={id}>{t("rules.formula")}</label>
      <textarea
        id={id}
        class="input formula-field"
        rows={2}
        spellcheck={false}
        value={typed ?? source}
        onInput={({ currentTarget }) => handleInput(currentTarget.value)}
      />
    </div>
  );
}
