import { useLayoutEffect } from "preact/hooks";
import type { Editor } from "../model/editor.js";
import { Grip } from "./grip.js";

/** Drags with a pointer between palette, page and outline. */
export function useDrags(editor: Editor): void {
  useLayoutEffect(() => {
    const grip = new Grip(editor);
    const take = (event: PointerEvent) => grip.take(event);
    addEventListener("pointerdown", take);
    return () => {
      removeEventListener("pointerdown", take);
      grip.letGo();
    };
  }, [editor]);
}
