import "./commands.css";
import { useComputed, useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { ComponentType } from "../../../../../../core/contract/definition.js";
import { Dialog } from "../../ui/dialog.js";
import { Icon } from "../../ui/icon.js";
import { catalogEntry } from "../model/catalog.js";
import { useEditor } from "../model/editor-context.js";
import { addable } from "../model/insertion.js";
import { isWanted } from "../palette/palette-groups.js";
import { addWithWords } from "./add-with-words.js";
import { focusSelected } from "./focus-selected.js";

/** Adds by a few letters and Enter: what can stand where the selection is. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const editor = useEditor();
  const id = useId();
  const wanted = useSignal("");
  const at = useSignal(0);
  const found = useComputed(() =>
    addable(editor, editor.selected.value)
      .filter((type) => isWanted(type, wanted.value))
      .toSorted(
        (one, other) => rank(one, wanted.value) - rank(other, wanted.value),
      ),
  );
  const add = (type: ComponentType | undefined) => {
    if (!type) return;
    onClose();
    if (addWithWords(editor, type)) focusSelected(editor);
  };
  const step = (event: KeyboardEvent, by: number) => {
    event.preventDefault();
    const { length } = found.value;
    at.value = (at.value + by + length) % Math.max(1, length);
  };
  const keys: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
    ArrowDown: (event) => step(event, 1),
    ArrowUp: (event) => step(event, -1),
    Enter: () => add(found.value[at.value]),
  };
  const optionId = (type: ComponentType) => `${id}-${type}`;
  const current = found.value[at.value];
  return (
    <Dialog title="Add" onClose={onClose}>
      <div class="add">
        <input
          class="input"
          type="search"
          role="combobox"
          list={undefined}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={current && optionId(current)}
          aria-label="What to add"
          placeholder="Table, picture, heading…"
          value={wanted.value}
          onInput={(event) => {
            wanted.value = event.currentTarget.value;
            at.value = 0;
          }}
          onKeyDown={(event) => keys[event.key]?.(event)}
        />
        <ul role="listbox" id={id} aria-label="What can be added here">
          {found.value.map((type, index) => (
            <AddOption
              key={type}
              type={type}
              id={optionId(type)}
              isCurrent={index === at.value}
              onPress={() => add(type)}
            />
          ))}
        </ul>
        {found.value.length === 0 && (
          <p class="muted small">Nothing is called that. Try a shorter word.</p>
        )}
      </div>
    </Dialog>
  );
}

function AddOption({
  type,
  id,
  isCurrent,
  onPress,
}: {
  type: ComponentType;
  id: string;
  isCurrent: boolean;
  onPress: () => void;
}) {
  const { words, purpose, icon } = catalogEntry(type);
  return (
    // The field has the focus and takes the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <li
      class="add-option"
      role="option"
      id={id}
      aria-selected={isCurrent}
      ref={(line) => {
        if (isCurrent) line?.scrollIntoView({ block: "nearest" });
      }}
      onClick={onPress}
    >
      <Icon name={icon} />
      <span>{words}</span>
      <span class="muted small">{purpose}</span>
    </li>
  );
}

/** What is called so comes before what is for it. */
function rank(type: ComponentType, wanted: string): number {
  const words = catalogEntry(type).words.toLowerCase();
  const letters = wanted.trim().toLowerCase();
  if (letters === "" || words.startsWith(letters)) return 0;
  return words.includes(letters) ? 1 : 2;
}
