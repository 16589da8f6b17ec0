import { useState } from "preact/hooks";
import type { Field } from "../../../../../../core/plugin-api/definition.js";
import { Button } from "../../ui/button.js";
import { useEditor } from "../model/editor-context.js";
import { RenameField } from "./rename-field.js";

interface NameInDataProps {
  collectionId: string;
  field: Field;
}

/** By which name records have the field, and the way to another. */
export function NameInData({ collectionId, field }: NameInDataProps) {
  const { mayEdit } = useEditor();
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="data-called">
      <p class="data-hint">
        In the data it is called <code>{field.name}</code>.
      </p>
      {mayEdit && (
        <Button
          label={`Rename ${field.name} in the data`}
          onPress={() => setOpen(true)}
        >
          Rename
        </Button>
      )}
      {isOpen && (
        <RenameField
          collectionId={collectionId}
          name={field.name}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}
