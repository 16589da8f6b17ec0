import { useEditor } from "../model/editor-context.js";

/** The page as it will be, to be worked on. */
export function Canvas() {
  const editor = useEditor();
  return <div class="canvas">{editor.definition.value.components.length}</div>;
}
