import { useId, useState } from "preact/hooks";
import { Button } from "../../../ui/button.js";
import { Icon } from "../../../ui/icon.js";
import { useEditor } from "../../model/editor.js";
import type { Entry } from "../../model/tree.js";
import { Group } from "../controls/group.js";
import { Row } from "../controls/row.js";
import { EditStyle } from "./edit-style.js";
import {
  asStyleName,
  makeStyle,
  nameFault,
  setStyles,
  stylesOf,
} from "./named-styles.js";

/** The named styles of a component: put on, taken off, made of what it has, changed for all that use them. */
export function AppliedStyles({ entry }: { entry: Entry }) {
  const editor = useEditor();
  const [edited, setEdited] = useState<string | null>(null);
  const names = stylesOf(entry.component);
  const all = Object.keys(editor.definition.value.styles ?? {});
  const free = all.filter((name) => !names.includes(name));
  return (
    <Group title="Styles">
      {names.map((name) => (
        <StyleChip
          name={name}
          onEdit={() => setEdited(name)}
          onTakeOff={() =>
            setStyles(
              editor,
              entry.id,
              names.filter((one) => one !== name),
            )
          }
          key={name}
        />
      ))}
      {free.length > 0 && (
        <AddStyle
          names={free}
          onAdd={(name) => setStyles(editor, entry.id, [...names, name])}
        />
      )}
      {entry.component.style && <MakeStyle entry={entry} />}
      {edited !== null && (
        <EditStyle name={edited} onClose={() => setEdited(null)} />
      )}
    </Group>
  );
}

interface StyleChipProps {
  name: string;
  onEdit: () => void;
  onTakeOff: () => void;
}

function StyleChip({ name, onEdit, onTakeOff }: StyleChipProps) {
  return (
    <div class="style-chip">
      <button
        type="button"
        aria-label={`Change the style ${name}`}
        onClick={onEdit}
      >
        {name}
      </button>
      <Button
        kind="quiet"
        isIcon
        label={`Take the style ${name} off`}
        onPress={onTakeOff}
      >
        <Icon name="close" size={14} />
      </Button>
    </div>
  );
}

interface AddStyleProps {
  names: readonly string[];
  onAdd: (name: string) => void;
}

function AddStyle({ names, onAdd }: AddStyleProps) {
  const id = useId();
  return (
    <Row id={id} label="Put on">
      <select
        id={id}
        class="input small"
        value=""
        onChange={({ currentTarget }) => onAdd(currentTarget.value)}
      >
        <option value="">Choose a style</option>
        {names.map((name) => (
          <option value={name} key={name}>
            {name}
          </option>
        ))}
      </select>
    </Row>
  );
}

function MakeStyle({ entry }: { entry: Entry }) {
  const editor = useEditor();
  const id = useId();
  const [name, setName] = useState("");
  const fault = name === "" ? null : nameFault(editor, name);
  return (
    <form
      class="prop-row"
      onSubmit={(event) => {
        event.preventDefault();
        if (name !== "" && fault === null) makeStyle(editor, entry, name);
      }}
    >
      <label for={id}>Keep as</label>
      <div class="prop-control">
        <div class="prop-pair">
          <input
            id={id}
            class="input small"
            placeholder="A name for this look"
            value={name}
            aria-invalid={fault !== null}
            onInput={({ currentTarget }) =>
              setName(asStyleName(currentTarget.value))
            }
          />
          <Button type="submit" kind="quiet" isIcon label="Make a style of it">
            <Icon name="plus" size={14} />
          </Button>
        </div>
        {fault && <small class="prop-fault">{fault}</small>}
      </div>
    </form>
  );
}
