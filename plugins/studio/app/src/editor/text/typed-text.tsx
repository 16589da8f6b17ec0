import "./text.css";
import { effect, type ReadonlySignal, untracked } from "@preact/signals";
import type { ComponentType } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Text } from "../../../../../../core/plugin-api/definition.js";
import { useEditor } from "../model/editor-context.js";
import { ChipPopover } from "./chip/chip-popover.js";
import { FieldMenu } from "./field-menu.js";
import type { TextFormat } from "./paste.js";
import { type SurfaceOptions, TextSurface } from "./text-surface.js";

interface TypedTextProps
  extends
    TextFormat,
    Pick<SurfaceOptions, "owner" | "onWrite" | "onLeave" | "attributes"> {
  /** The text in the definition. */
  text: ReadonlySignal<Text>;
  /** Takes the focus and sets the caret to this point of the window, or to the end. */
  focusAt?: { x: number; y: number } | "end";
  /** Shown while text is selected that can be formatted. */
  toolbar?: ComponentType<{ surface: TextSurface }>;
}

/** An editable text with variables, its field menu and the settings of its chips. */
export function TypedText(props: TypedTextProps) {
  const editor = useEditor();
  const host = useRef<HTMLSpanElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const [surface, setSurface] = useState<TextSurface | null>(null);
  useLayoutEffect(() => {
    if (!host.current) return undefined;
    const { text, focusAt, toolbar: _toolbar, ...rest } = latest.current;
    const created = new TextSurface(host.current, {
      ...rest,
      editor,
      text: text.peek(),
      onWrite: (...all) => latest.current.onWrite(...all),
      onLeave: (how) => latest.current.onLeave(how),
    });
    const stop = effect(() => {
      const current = text.value;
      untracked(() => created.sync(current));
    });
    if (focusAt) created.focus(focusAt === "end" ? null : focusAt);
    setSurface(created);
    return () => {
      stop();
      created.destroy();
    };
  }, []);
  return (
    <>
      <span class="text-typing" ref={host} />
      {surface && <Popups surface={surface} toolbar={props.toolbar} />}
    </>
  );
}

interface PopupsProps {
  surface: TextSurface;
  toolbar: TypedTextProps["toolbar"];
}

function Popups({ surface, toolbar: Toolbar }: PopupsProps) {
  const position = surface.openChip.value;
  return (
    <>
      {position !== null && (
        <ChipPopover key={position} surface={surface} position={position} />
      )}
      {surface.trigger.open.value && <FieldMenu surface={surface} />}
      {Toolbar && surface.isSelecting.value && <Toolbar surface={surface} />}
    </>
  );
}
