import { useComputed, useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { ComponentType } from "../../../../core/plugin-api/definition.js";
import { Dialog } from "../../ui/dialog.js";
import { Icon } from "../../ui/icon.js";
import { getCatalogEntry } from "../model/catalog.js";
import { useEditor } from "../model/editor-context.js";
import type { Editor } from "../model/editor.js";
import { listAddableTypes } from "../model/placement.js";
import { matchesSearch } from "../palette/palette.js";
import "./commands.css";
import { addComponent, enterNew } from "./page-commands.js";
import { t } from "../../messages/index.js";

export function AddDialog({ onClose }: { onClose: () => void }) {
  const id = useId();
  const { query, types, current, add, ...field } = useTypeSearch(onClose);
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
    <Dialog title={t("common.add")} onClose={onClose}>
      <div class="add">
        <input
          class="input"
          type="search"
          role="combobox"
          list={undefined}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={current && optionId(current)}
          aria-label={t("editor.searchComponents")}
          placeholder={t("editor.tableImageHeading")}
          value={query}
          onInput={(event) => field.search(event.currentTarget.value)}
          onKeyDown={field.onKeyDown}
        />
        <ul role="listbox" id={id} aria-label={t("editor.components")}>
          {types.map(option)}
        </ul>
        {!current && (
          <p class="muted small">{t("editor.noMatchesTryShorterWord")}</p>
        )}
      </div>
    </Dialog>
  );
}

function useTypeSearch(onClose: () => void) {
  const editor = useEditor();
  const query = useSignal("");
  const at = useSignal(0);
  const types = useComputed(() => findTypes(editor, query.value)).value;
  const search = (words: string) => {
    query.value = words;
    at.value = 0;
  };
  const step = (by: number) => {
    at.value = (at.value + by + types.length) % Math.max(1, types.length);
  };
  const add = (type: ComponentType | undefined) => {
    if (!type) return;
    onClose();
    if (addComponent(editor, type)) enterNew(editor);
  };
  const current = types[at.value];
  const onKeyDown = createKeyHandler({
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    Enter: () => add(current),
  });
  return { query: query.value, types, current, search, add, onKeyDown };
}

function createKeyHandler(keys: Readonly<Record<string, () => void>>) {
  return (event: KeyboardEvent) => {
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
}

/** Types whose name matches come before those whose purpose matches. */
function findTypes(editor: Editor, query: string): ComponentType[] {
  const letters = query.trim().toLowerCase();
  const rank = (type: ComponentType) => {
    const words = getCatalogEntry(type).words.toLowerCase();
    if (words.startsWith(letters)) return 0;
    return words.includes(letters) ? 1 : 2;
  };
  return listAddableTypes(editor, editor.selected.value)
    .filter((type) => matchesSearch(type, letters))
    .toSorted((type, other) => rank(type) - rank(other));
}

interface AddOptionProps {
  type: ComponentType;
  id: string;
  /** Whether it is the active option, which Enter adds. */
  isCurrent: boolean;
  onPress: () => void;
}

function AddOption({ type, id, isCurrent, onPress }: AddOptionProps) {
  const { words, purpose, icon } = getCatalogEntry(type);
  return (
    // The field keeps the focus and handles the keys.
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
