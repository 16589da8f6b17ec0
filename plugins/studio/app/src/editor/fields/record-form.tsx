import type { Field } from "../../../../../../core/plugin-api/definition.js";
import { useEditor } from "../model/editor-context.js";
import { EntryList } from "./entry-list.js";
import type { RecordFormProps } from "./entry-props.js";
import { fieldLabel } from "./field-words.js";
import { recordOf } from "./json-record.js";
import { SampleValue } from "./sample-value-field.js";

/** A record by its declared fields; what it has beside them stays. */
export function RecordForm(props: RecordFormProps) {
  const { collection, value, onChange } = props;
  const record = recordOf(value);
  if (collection.fields.length === 0)
    return (
      <p class="data-hint">
        No fields are known. Paste a record as JSON, then let its fields be
        read.
      </p>
    );
  return (
    <div class="sample-record">
      {collection.fields.map((field) => (
        <FieldValue
          {...props}
          field={field}
          value={record[field.name] ?? null}
          onChange={(next) => onChange({ ...record, [field.name]: next })}
          key={field.name}
        />
      ))}
    </div>
  );
}

/** A value, a linked record, or a list of records. */
function FieldValue({
  field,
  value,
  trail,
  onChange,
}: RecordFormProps & { field: Field }) {
  const { schema } = useEditor().definition.value;
  if (!("target" in field))
    return (
      <div class="sample-field">
        <span aria-hidden="true">{fieldLabel(field)}</span>
        <SampleValue
          field={field}
          label={fieldLabel(field)}
          value={value}
          onChange={onChange}
        />
      </div>
    );
  const target = schema.find(({ id }) => id === field.target);
  if (!target || trail.includes(target.id)) return null;
  const inner = { collection: target, trail: [...trail, target.id] };
  return (
    <fieldset class="prop-box">
      <legend>{fieldLabel(field)}</legend>
      {field.type === "OneToOneLink" ? (
        <RecordForm {...inner} value={value} onChange={onChange} />
      ) : (
        <EntryList
          {...inner}
          Form={RecordForm}
          label={fieldLabel(field)}
          entries={Array.isArray(value) ? value : []}
          onChange={onChange}
        />
      )}
    </fieldset>
  );
}
