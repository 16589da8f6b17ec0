import "./commands.css";
import { useComputed, useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { ComponentType } from "../../../../../../core/plugin-api/definition.js";
import { Dialog } from "../../ui/dialog.js";
import { catalogEntry } from "../model/catalog.js";
import type { Editor } from "../model/editor.js";
import { useEditor } from "../model/editor-context.js";
import { addable } from "../model/placement.js";
import { isWanted } from "../palette/palette-groups.js";
import { AddOption } from "./add-option.js";
import { addWithWords } from "./add-with-words.js";
import { focusSelected } from "./focus-selected.js";

/** Adds by a few letters and Enter: what can stand where the selection is. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const id = useId();
  const { wanted, found, current, add, ...field } = useAddable(onClose);
  const optionId = (type: ComponentType) => `${id}-${type}`;
  const option = (type: ComponentType) => (
    <AddOption
      key={type}
      type={type}
      id={optionId(type)}
      isCurrent={type === current}
      onPress={() => add(type)}
    />
  );
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
          value={wanted}
          onInput={(event) => field.search(event.currentTarget.value)}
          onKeyDown={field.onKeyDown}
        />
        <ul role="listbox" id={id} aria-label="What can be added here">
          {found.map(option)}
        </ul>
        {!current && (
          <p class="muted small">Nothing is called that. Try a shorter word.</p>
        )}
      </div>
    </Dialog>
  );
}

/** What is looked for, what was found, and which of it Enter adds. */
function useAddable(onClose: () => void) {
  const editor = useEditor();
  const wanted = useSignal("");
  const at = useSignal(0);
  const found = useComputed(() => typesWanted(editor, wanted.value)).value;
  const search = (words: string) => {
    wanted.value = words;
    at.value = 0;
  };
  const step = (by: number) => {
    at.value = (at.value + by + found.length) % Math.max(1, found.length);
  };
  const add = (type: ComponentType | undefined) => {
    if (!type) return;
    onClose();
    if (addWithWords(editor, type)) focusSelected(editor);
  };
  const current = found[at.value];
  const onKeyDown = onKeys({
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    Enter: () => add(current),
  });
  return { wanted: wanted.value, found, current, search, add, onKeyDown };
}

function onKeys(keys: Readonly<Record<string, () => void>>) {
  return (event: KeyboardEvent) => {
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
}

/** What is called so comes before what is for it. */
function typesWanted(editor: Editor, wanted: string): ComponentType[] {
  const letters = wanted.trim().toLowerCase();
  const rank = (type: ComponentType) => {
    const words = catalogEntry(type).words.toLowerCase();
    if (words.startsWith(letters)) return 0;
    return words.includes(letters) ? 1 : 2;
  };
  return addable(editor, editor.selected.value)
    .filter((type) => isWanted(type, letters))
    .toSorted((one, other) => rank(one) - rank(other));
}
