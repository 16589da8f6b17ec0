import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { FieldType } from "../../../../../../core/plugin-api/definition.js";
import { Button } from "../../ui/button.js";
import { Form } from "../../ui/form.js";
import { useEditor } from "../model/editor-context.js";
import { fieldTypes } from "./field-words.js";
import { addField, nameOfWords } from "./schema-steps.js";

interface NewFieldProps {
  collectionId: string;
  onClose: () => void;
}

/** A field's name and kind; after one, the next can be typed at once. */
export function NewField({ collectionId, onClose }: NewFieldProps) {
  const editor = useEditor();
  const input = useRef<HTMLInputElement>(null);
  const [label, setLabel] = useState("");
  const [type, setType] = useState<FieldType>("String");
  useLayoutEffect(() => input.current?.focus(), []);
  const add = async () => {
    const words = label.trim();
    if (nameOfWords(words) === null) return;
    addField(editor, collectionId, words, type);
    setLabel("");
    input.current?.focus();
    await Promise.resolve();
  };
  return (
    <Form class="data-new" onSend={add}>
      <input
        class="input small"
        aria-label="Name of the new field"
        placeholder="Name, such as Due date"
        ref={input}
        value={label}
        onInput={({ currentTarget }) => setLabel(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
        }}
      />
      <KindSelect type={type} onChange={setType} />
      <span class="data-ends">
        <Button kind="primary" type="submit">
          Add
        </Button>
        <Button kind="quiet" onPress={onClose}>
          Done
        </Button>
      </span>
    </Form>
  );
}

interface KindSelectProps {
  type: FieldType;
  onChange: (type: FieldType) => void;
}

function KindSelect({ type, onChange }: KindSelectProps) {
  const choose = (value: string) =>
    onChange(fieldTypes.find(([one]) => one === value)?.[0] ?? type);
  return (
    <select
      class="input small"
      aria-label="Kind of the new field"
      value={type}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {fieldTypes.map(([one, words]) => (
        <option value={one} key={one}>
          {words}
        </option>
      ))}
    </select>
  );
}
