import { useState } from "preact/hooks";
import type {
  DataCollection,
  Field,
} from "../../../../../../core/plugin-api/definition.js";
import { ActionMenu } from "../../ui/action-menu.js";
import { AskFirst } from "../../ui/dialog.js";
import { useEditor } from "../model/editor-context.js";
import { fieldLabel } from "./field-words.js";
import { usesOf } from "./field-uses.js";
import { moveField, removeField } from "./schema-steps.js";

interface FieldMenuProps {
  collection: DataCollection;
  field: Field;
  index: number;
  /** Opens what can be changed of it. */
  onChange: () => void;
}

/** What can be done with a field; one that is used is not deleted unasked. */
export function FieldMenu({
  collection,
  field,
  index,
  onChange,
}: FieldMenuProps) {
  const editor = useEditor();
  const [uses, setUses] = useState<readonly string[]>([]);
  const label = fieldLabel(field);
  const remove = () => removeField(editor, collection.id, field.name);
  const move = (by: 1 | -1) => moveField(editor, collection.id, index, by);
  const ask = async () => {
    const found = await usesOf(editor, collection.id, field.name);
    if (found.length === 0) remove();
    else setUses([...new Set(found)]);
  };
  return (
    <>
      <ActionMenu
        label={`Actions for ${label}`}
        isQuiet
        actions={[
          { words: "Change", icon: "edit", onPress: onChange },
          { words: "Move up", icon: "up", onPress: () => move(-1) },
          { words: "Move down", icon: "down", onPress: () => move(1) },
          { words: "Delete", icon: "trash", isGrave: true, onPress: ask },
        ]}
      />
      {uses.length > 0 && (
        <AskToDelete
          label={label}
          uses={uses}
          onDelete={remove}
          onClose={() => setUses([])}
        />
      )}
    </>
  );
}

interface AskToDeleteProps {
  label: string;
  uses: readonly string[];
  onDelete: () => void;
  onClose: () => void;
}

const mostShown = 8;

/** Tells where a field is used before it goes. */
function AskToDelete({ label, uses, onDelete, onClose }: AskToDeleteProps) {
  const more = uses.length - mostShown;
  return (
    <AskFirst
      title={`Delete ${label}?`}
      act="Delete it"
      onAct={async () => {
        onDelete();
        await Promise.resolve();
      }}
      onClose={onClose}
    >
      <p>It is used here, where nothing would be shown any more:</p>
      <ul>
        {uses.slice(0, mostShown).map((one, at) => (
          <li key={at}>{one}</li>
        ))}
      </ul>
      {more > 0 && <p>And in {more} more places.</p>}
    </AskFirst>
  );
}
