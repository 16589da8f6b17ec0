import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Editor } from "./editor.js";

// Apart from the editor itself, which runs without a browser in tests.

const EditorContext = createContext<Editor | null>(null);

export const EditorProvider = EditorContext.Provider;

export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (!editor)
    throw new Error("useEditor must be called inside an EditorProvider");
  return editor;
}
