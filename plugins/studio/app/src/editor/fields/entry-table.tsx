import type { Json } from "../../../../../../core/plugin-api/definition.js";
import type { EntryListProps } from "./entry-props.js";
import { RemoveEntry } from "./remove-entry.js";
import { fieldLabel } from "./field-words.js";
import { recordOf } from "./json-record.js";
import { SampleValue } from "./sample-value-field.js";

/** Entries of values alone, a row each. */
export function EntryTable(props: EntryListProps) {
  const { collection, label, entries } = props;
  return (
    <div class="sample-table" role="group" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {collection.fields.map((field) => (
              <th scope="col" key={field.name}>
                {fieldLabel(field)}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {entries.map((_entry, index) => (
            <EntryRow {...props} index={index} key={index} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function EntryRow(props: EntryListProps & { index: number }) {
  const { collection, entries, index, onChange } = props;
  const record = recordOf(entries[index] ?? null);
  const set = (name: string, value: Json) => {
    const changed = { ...record, [name]: value };
    onChange(entries.map((one, at) => (at === index ? changed : one)));
  };
  return (
    <tr>
      {collection.fields.map((field) => (
        <td key={field.name}>
          <SampleValue
            field={field}
            label={`${fieldLabel(field)}, row ${index + 1}`}
            value={record[field.name] ?? null}
            onChange={(value) => set(field.name, value)}
          />
        </td>
      ))}
      <td>
        <RemoveEntry {...props} />
      </td>
    </tr>
  );
}
