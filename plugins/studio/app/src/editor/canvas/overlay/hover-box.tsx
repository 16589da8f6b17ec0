import { catalogEntry } from "../../model/catalog.js";
import type { Box } from "../box.js";
import { useCanvas } from "../canvas-state.js";
import { notesOf } from "../notes.js";
import { styleOf } from "./overlay-box.js";

/** Around what is pointed at: what it is, and when and how often it is shown. */
export function HoverBox({ box }: { box: Box }) {
  const { editor, hovered } = useCanvas();
  const id = hovered.value;
  const entry = id === null ? null : editor.tree.value.entries.get(id);
  if (!entry) return null;
  const { words } = catalogEntry(entry.component.type);
  const said = [words, ...notesOf(entry.component, editor).said];
  return (
    <div class="hover-box" style={styleOf(box)}>
      <span class="hover-name">{said.join(" · ")}</span>
    </div>
  );
}
