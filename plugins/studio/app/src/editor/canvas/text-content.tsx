import { useComputed } from "@preact/signals";
import type { Text } from "../../../../../../core/contract/definition.js";
import { useCanvas } from "./canvas-state.js";
import { TextView } from "./text-view.js";

interface TextContentProps {
  id: string;
  text: Text | undefined;
}

/** A component's text; where it stands one types it, too. */
export function TextContent({ id, text = "" }: TextContentProps) {
  const { editor } = useCanvas();
  const isTyping = useComputed(() => editor.typingIn.value === id);
  return <TextView text={text} owner={isTyping.value ? id : id} />;
}
