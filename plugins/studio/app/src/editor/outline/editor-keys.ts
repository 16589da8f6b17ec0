import { useLayoutEffect } from "preact/hooks";
import { useClipboard } from "../commands/clipboard-events.js";
import { focusPlace, isEditing } from "../commands/focus-place.js";
import { focusSelected } from "../commands/focus-selected.js";
import { commandOf } from "../commands/key-map.js";
import type { Editor } from "../model/editor.js";
import { chordOf } from "../commands/chord.js";

/** The keys of the template as a whole. What a field, a control or the tree of the outline took is theirs. */
export function useEditorKeys(editor: Editor) {
  useClipboard(editor);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented) return;
    const command = commandOf(chordOf(event));
    const place = focusPlace(event.target);
    const isMeant = command?.isEverywhere ? isEditing(event.target) : place;
    if (!command || !isMeant) return;
    event.preventDefault();
    command.run(editor);
    if (place === "canvas" || place === "page") focusSelected(editor);
  };
  useLayoutEffect(() => {
    // When what had the focus is gone, keys arrive at the body, outside of the editor's frame.
    const onBody = (event: KeyboardEvent) => {
      if (event.target === document.body) onKeyDown(event);
    };
    addEventListener("keydown", onBody);
    return () => removeEventListener("keydown", onBody);
  }, [editor]);
  return onKeyDown;
}
