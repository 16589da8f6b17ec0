import "./palette.css";
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { ComponentType } from "../../../../../../core/plugin-api/definition.js";
import { Icon } from "../../ui/icon.js";
import { addWithWords } from "../commands/add-with-words.js";
import { focusSelected } from "../commands/focus-selected.js";
import { catalogEntry } from "../model/catalog.js";
import { useEditor } from "../model/editor.js";
import { paletteGroups } from "./palette-groups.js";

/** What can be put into this template: pressed, it goes to where the selection is; dragged, to where one likes. */
export function Palette() {
  const editor = useEditor();
  const wanted = useSignal("");
  const groups = paletteGroups(editor, wanted.value);
  if (!editor.mayEdit)
    return (
      <p class="palette-note">
        You may look at this template. Editors and owners can change it.
      </p>
    );
  return (
    <div class="palette">
      <div class="search">
        <Icon name="search" size={16} />
        <input
          class="input"
          type="search"
          placeholder="Search"
          aria-label="Search what to add"
          value={wanted.value}
          onInput={(event) => {
            wanted.value = event.currentTarget.value;
          }}
        />
      </div>
      {groups.length === 0 && (
        <p class="palette-note">Nothing is called that. Try a shorter word.</p>
      )}
      {groups.map(({ name, types }) => (
        <PaletteGroup key={name} name={name} types={types} />
      ))}
      <p class="palette-keys">
        <kbd>/</kbd> adds from anywhere, <kbd>?</kbd> shows all keys
      </p>
    </div>
  );
}

function PaletteGroup({
  name,
  types,
}: {
  name: string;
  types: readonly ComponentType[];
}) {
  const editor = useEditor();
  const id = useId();
  return (
    <div class="palette-group" role="group" aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      <ul>
        {types.map((type) => {
          const { words, icon, purpose } = catalogEntry(type);
          return (
            <li key={type}>
              <button
                type="button"
                class="palette-item"
                title={purpose}
                data-new={type}
                onClick={({ detail }) => {
                  const isAdded = addWithWords(editor, type);
                  // Whoever presses with a pointer goes on with what is new; by keys one can add more.
                  if (isAdded && detail > 0) focusSelected(editor);
                }}
              >
                <Icon name={icon} />
                {words}
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
