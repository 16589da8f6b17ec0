import { useState } from "preact/hooks";
import type {
  DataCollection,
  Field,
} from "../../../../../../core/contract/definition.js";
import { Icon } from "../../ui/icon.js";
import { useEditor } from "../model/editor-context.js";
import { CollectionFields } from "./collection-fields.js";
import { FieldForm } from "./field-form.js";
import { FieldMenu } from "./field-menu.js";
import { fieldIcons, fieldLabel } from "./field-words.js";
import { insertField } from "./insert-field.js";

interface FieldLineProps {
  collection: DataCollection;
  field: Field;
  index: number;
  trail: readonly string[];
}

/** A field: a press opens what can be changed of it, and what it leads to. */
export function FieldLine(props: FieldLineProps) {
  const { collection, field, trail } = props;
  const editor = useEditor();
  const [isOpen, setOpen] = useState(false);
  const [isChanging, setChanging] = useState(false);
  const label = fieldLabel(field);
  const { schema } = editor.definition.value;
  const target =
    "target" in field
      ? schema.find(({ id }) => id === field.target)
      : undefined;
  const isLink = target !== undefined && !trail.includes(target.id);
  return (
    <li>
      <div class="data-line">
        <button
          type="button"
          class="data-name"
          aria-expanded={isOpen}
          onClick={() => {
            setOpen(!isOpen);
            setChanging(false);
          }}
        >
          <Icon name={fieldIcons[field.type]} size={16} />
          <span>{label}</span>
          {isLink && <Icon name={isOpen ? "down" : "next"} size={12} />}
        </button>
        {editor.mayEdit && (
          <button
            type="button"
            class="data-insert"
            aria-label={`Insert ${label}`}
            title={`Insert ${label}`}
            // The caret stays in the text that is being typed.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => insertField(editor, collection.id, field)}
          >
            <Icon name="plus" size={14} />
          </button>
        )}
        {editor.mayEdit && (
          <FieldMenu
            {...props}
            onChange={() => {
              setOpen(true);
              setChanging(true);
            }}
          />
        )}
      </div>
      {isOpen && (
        <div class="data-inner">
          {(isChanging || !isLink) && (
            <FieldForm collectionId={collection.id} field={field} />
          )}
          {isLink && (
            <CollectionFields
              collection={target}
              trail={[...trail, target.id]}
            />
          )}
        </div>
      )}
    </li>
  );
}
