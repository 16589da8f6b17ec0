import type { Component } from "../../../../../../core/plugin-api/definition.js";
import { Icon } from "../../ui/icon.js";
import { catalogEntry } from "../model/catalog.js";
import { useEditor } from "../model/editor.js";
import { rowDetail, rowNote, rowWords } from "./row-words.js";

/** A component in a line: what it says, or what it is; and whether it repeats or hides. */
export function LineWords({ component }: { component: Component }) {
  const editor = useEditor();
  const { words, icon } = catalogEntry(component.type);
  const own = rowWords(editor, component);
  const note = rowNote(component);
  return (
    <>
      <Icon name={icon} size={16} />
      <span class="outline-words">
        {own === "" ? words : own}
        {own === "" && <span class="muted"> {rowDetail(component)}</span>}
      </span>
      {note !== "" && <span class="outline-note">{note}</span>}
    </>
  );
}
