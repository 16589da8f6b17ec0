import { useComputed } from "@preact/signals";
import type { Text } from "../../../../../../core/plugin-api/definition.js";
import { TextEditor } from "../text/text-editor.js";
import { TextView } from "../text/text-view.js";
import { useCanvas } from "./canvas-state.js";

interface TextContentProps {
  id: string;
  text: Text | undefined;
  /** What stands where there is none; nothing where it is left out. */
  placeholder?: string;
}

/** A component's text; it is typed where it stands. */
export function TextContent({ id, text = "", placeholder }: TextContentProps) {
  const { editor } = useCanvas();
  const isTyping = useComputed(() => editor.typingIn.value === id);
  if (isTyping.value) return <TextEditor id={id} />;
  if (text.length === 0 && placeholder !== undefined)
    return <span class="no-text">{placeholder}</span>;
  return <TextView text={text} owner={id} />;
}
