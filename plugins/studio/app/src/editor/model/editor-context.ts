import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Editor } from "./editor.js";

const EditorContext = createContext<Editor | null>(null);

export const EditorProvider = EditorContext.Provider;

/** The editor around a component of the page. */
export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error("no editor is open here");
  return editor;
}
