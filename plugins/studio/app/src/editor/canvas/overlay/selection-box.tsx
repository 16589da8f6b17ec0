import { Icon } from "../../../ui/icon.js";
import { catalogEntry } from "../../model/catalog.js";
import type { Box } from "../box.js";
import { useCanvas } from "../canvas-state.js";
import { notesOf } from "../notes.js";
import { styleOf } from "./overlay-box.js";
import { SelectionTools } from "./selection-tools.js";

/** Around what is selected: what it is called, and what is done most often with it. */
export function SelectionBox({ box }: { box: Box }) {
  const { editor, zoom } = useCanvas();
  const entry = editor.selectedEntry.value;
  if (!entry) return null;
  const { words, icon } = catalogEntry(entry.component.type);
  const notes = notesOf(entry.component, editor).said;
  const isTyping = editor.typingIn.value === entry.id;
  const isFarRight = box.left > (zoom.room.value * 2) / 5;
  return (
    <div
      class={isTyping ? "selection-box is-typing" : "selection-box"}
      style={styleOf(box)}
    >
      {!isTyping && (
        <div class={isFarRight ? "selection-bar at-right" : "selection-bar"}>
          <span class="selection-name">
            <Icon name={icon} size={13} />
            {words}
            {notes.map((note) => (
              <span class="selection-note" key={note}>
                {note}
              </span>
            ))}
          </span>
          {editor.mayEdit && <SelectionTools entry={entry} />}
        </div>
      )}
    </div>
  );
}
