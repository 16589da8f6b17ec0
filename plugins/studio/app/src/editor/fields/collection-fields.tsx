import { useState } from "preact/hooks";
import type { DataCollection } from "../../../../../../core/plugin-api/definition.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { useEditor } from "../model/editor-context.js";
import { FieldLine } from "./field-line.js";
import { NewField } from "./new-field.js";

interface CollectionFieldsProps {
  collection: DataCollection;
  /** The collections on the way to it, so that a circle of links ends. */
  trail: readonly string[];
}

/** The fields of the record or of what a link leads to. */
export function CollectionFields({ collection, trail }: CollectionFieldsProps) {
  const { mayEdit } = useEditor();
  const [isAdding, setAdding] = useState(false);
  const { id, fields, label } = collection;
  const where = trail.length > 1 ? ` to ${label ?? id}` : "";
  return (
    <>
      <ul class="data-fields">
        {fields.map((field, index) => (
          <FieldLine
            collection={collection}
            field={field}
            index={index}
            trail={trail}
            key={field.name}
          />
        ))}
      </ul>
      {isAdding && (
        <NewField collectionId={id} onClose={() => setAdding(false)} />
      )}
      {mayEdit && !isAdding && (
        <Button
          kind="quiet"
          label={`Add a field${where}`}
          onPress={() => setAdding(true)}
        >
          <Icon name="plus" size={14} />
          Add a field
        </Button>
      )}
    </>
  );
}
