import { useState } from "preact/hooks";
import type {
  DataCollection,
  Field,
} from "../../../../../../core/plugin-api/definition.js";
import { Icon, type IconName } from "../../ui/icon.js";
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

/** A field: a press opens what can be changed of it, or what it leads to. */
export function FieldLine(props: FieldLineProps) {
  const { field } = props;
  const { mayEdit } = useEditor();
  const [isOpen, setOpen] = useState(false);
  const [isChanging, setChanging] = useState(false);
  const target = useTarget(props);
  const turn = (open: boolean, change: boolean) => {
    setOpen(open);
    setChanging(change);
  };
  return (
    <li>
      <div class="data-line">
        <button
          type="button"
          class="data-name"
          aria-expanded={isOpen}
          onClick={() => turn(!isOpen, false)}
        >
          <Name field={field} arrow={target && (isOpen ? "down" : "next")} />
        </button>
        {mayEdit && <InsertButton {...props} />}
        {mayEdit && <FieldMenu {...props} onChange={() => turn(true, true)} />}
      </div>
      {isOpen && (
        <div class="data-inner">
          {(isChanging || !target) && (
            <FieldForm collectionId={props.collection.id} field={field} />
          )}
          {target && (
            <CollectionFields
              collection={target}
              trail={[...props.trail, target.id]}
            />
          )}
        </div>
      )}
    </li>
  );
}

interface NameProps {
  field: Field;
  arrow: IconName | undefined;
}

function Name({ field, arrow }: NameProps) {
  return (
    <>
      <Icon name={fieldIcons[field.type]} size={16} />
      <span>{fieldLabel(field)}</span>
      {arrow && <Icon name={arrow} size={12} />}
    </>
  );
}

/** What a link leads to; nothing where that would lead back. */
function useTarget({ field, trail }: FieldLineProps) {
  const { schema } = useEditor().definition.value;
  if (!("target" in field) || trail.includes(field.target)) return undefined;
  return schema.find(({ id }) => id === field.target);
}

function InsertButton({ collection, field }: FieldLineProps) {
  const editor = useEditor();
  const words = `Insert ${fieldLabel(field)}`;
  return (
    <button
      type="button"
      class="data-insert"
      aria-label={words}
      title={words}
      // The caret stays in the text that is being typed.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => insertField(editor, collection.id, field)}
    >
      <Icon name="plus" size={14} />
    </button>
  );
}
