import type {
  Field,
  FieldType,
} from "../../../../../../core/plugin-api/definition.js";
import { SelectField, TextField } from "../inspector/controls/fields.js";
import { useEditor } from "../model/editor-context.js";
import { asWords } from "../scope/path-text.js";
import { fieldLabel, fieldTypes } from "./field-words.js";
import { NameInData } from "./name-in-data.js";
import { changeField, isLinkType } from "./schema-steps.js";

interface FieldFormProps {
  collectionId: string;
  field: Field;
}

/** A field's name for people, its kind, and its name in the data. */
export function FieldForm({ collectionId, field }: FieldFormProps) {
  const editor = useEditor();
  const { schema } = editor.definition.value;
  const set = (next: Field, thread: string | null = null) =>
    changeField(editor, collectionId, field.name, next, thread);
  const setLabel = (label: string) => {
    const { label: _old, ...rest } = field;
    const next = label === "" ? rest : { ...rest, label };
    set(next, `label:${collectionId}:${field.name}`);
  };
  const first = schema.find(({ id }) => id !== "root")?.id ?? "root";
  const isLink = "target" in field;
  const kinds = fieldTypes.filter(([one]) => isLinkType(one) === isLink);
  return (
    <fieldset class="data-form" disabled={!editor.mayEdit}>
      <legend class="hidden-text">{fieldLabel(field)}</legend>
      <TextField
        label="Name"
        value={field.label ?? ""}
        placeholder={asWords(field.name)}
        onChange={setLabel}
        onLeave={() => editor.endThread()}
      />
      <SelectField
        label="Kind"
        value={field.type}
        options={kinds}
        onChange={(type) => type && set(withType(field, type, first))}
      />
      {isLink && <LeadsTo field={field} onChange={set} />}
      <NameInData collectionId={collectionId} field={field} />
    </fieldset>
  );
}

interface LeadsToProps {
  field: Extract<Field, { target: string }>;
  onChange: (field: Field) => void;
}

function LeadsTo({ field, onChange }: LeadsToProps) {
  const { schema } = useEditor().definition.value;
  return (
    <SelectField
      label="Leads to"
      value={field.target}
      options={schema.map(({ id, label }) => [id, label ?? asWords(id)])}
      onChange={(target) => target && onChange({ ...field, target })}
    />
  );
}

function withType(field: Field, type: FieldType, target: string): Field {
  if (isLinkType(type)) return { target, ...field, type };
  const { target: _old, ...rest } = { target, ...field };
  return { ...rest, type };
}
