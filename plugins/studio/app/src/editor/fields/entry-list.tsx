import type { ComponentType } from "preact";
import type { Json } from "../../../../../../core/plugin-api/definition.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { useEditor } from "../model/editor-context.js";
import { EntryTable } from "./entry-table.js";
import { newEntry } from "./make-sample.js";
import type { EntryListProps, RecordFormProps } from "./entry-props.js";
import { RemoveEntry } from "./remove-entry.js";

/** The entries of a list: a table where they are values alone, else one form each. */
export function EntryList({
  Form,
  ...props
}: EntryListProps & { Form: ComponentType<RecordFormProps> }) {
  const { collection, label, entries, trail, onChange } = props;
  const editor = useEditor();
  const isFlat = collection.fields.every((one) => !("target" in one));
  const change = (index: number) => (next: Json) =>
    onChange(entries.map((one, at) => (at === index ? next : one)));
  return (
    <>
      {isFlat && entries.length > 0 && <EntryTable {...props} />}
      {!isFlat &&
        entries.map((entry, index) => (
          <div class="sample-entry" key={index}>
            <span class="sample-entry-head">
              {label} {index + 1}
              <RemoveEntry {...props} index={index} />
            </span>
            <Form
              collection={collection}
              value={entry}
              trail={trail}
              onChange={change(index)}
            />
          </div>
        ))}
      {editor.mayEdit && <AddEntry {...props} />}
    </>
  );
}

function AddEntry({ collection, label, entries, onChange }: EntryListProps) {
  const { schema } = useEditor().definition.value;
  const add = () => {
    const entry = newEntry(schema, collection, entries.length + 1);
    onChange([...entries, entry]);
  };
  return (
    <Button kind="quiet" label={`Add an entry to ${label}`} onPress={add}>
      <Icon name="plus" size={14} />
      Add an entry
    </Button>
  );
}
