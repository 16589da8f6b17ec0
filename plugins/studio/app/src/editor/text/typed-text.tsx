import "./text.css";
import { effect, type ReadonlySignal, untracked } from "@preact/signals";
import type { ComponentType } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Text } from "../../../../../../core/plugin-api/definition.js";
import { useEditor } from "../model/editor.js";
import type { TextKind } from "./surface/pasting.js";
import { type SurfaceOptions, TextSurface } from "./surface/text-surface.js";

interface TypedTextProps
  extends TextKind, Pick<SurfaceOptions, "onWrite" | "onLeave" | "attributes"> {
  owner: string | null;
  /** What opens beside it. */
  beside: ComponentType<{ surface: TextSurface }>;
  /** What the definition has. */
  text: ReadonlySignal<Text>;
  /** Whether it takes the focus, its caret at this place of the window or at its end. */
  focusAt?: { x: number; y: number } | "end";
}

/** A place to type a text with variables, with all that opens beside it. */
export function TypedText(props: TypedTextProps) {
  const editor = useEditor();
  const host = useRef<HTMLSpanElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const [surface, setSurface] = useState<TextSurface | null>(null);
  useLayoutEffect(() => {
    if (!host.current) return undefined;
    const { text, focusAt, beside: _beside, ...rest } = latest.current;
    const made = new TextSurface(host.current, {
      ...rest,
      editor,
      text: text.peek(),
      onWrite: (...all) => latest.current.onWrite(...all),
      onLeave: (how) => latest.current.onLeave(how),
    });
    const stop = effect(() => {
      const shown = text.value;
      untracked(() => made.sync(shown));
    });
    if (focusAt) made.focus(focusAt === "end" ? null : focusAt);
    setSurface(made);
    return () => {
      stop();
      made.destroy();
    };
  }, []);
  const { beside: Beside } = props;
  return (
    <>
      <span class="text-typing" ref={host} />
      {surface && <Beside surface={surface} />}
    </>
  );
}
