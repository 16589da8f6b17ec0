import type { EntryListProps } from "./entry-props.js";
import { RemoveEntry } from "./remove-entry.js";
import { fieldLabel } from "./field-words.js";
import { recordOf } from "./json-record.js";
import { SampleValue } from "./sample-value-field.js";

/** Entries of values alone, a row each. */
export function EntryTable(props: EntryListProps) {
  const { collection, label, entries, onChange } = props;
  const { fields } = collection;
  return (
    <div class="sample-table" role="group" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {fields.map((field) => (
              <th scope="col" key={field.name}>
                {fieldLabel(field)}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {entries.map((entry, index) => {
            const record = recordOf(entry);
            return (
              <tr key={index}>
                {fields.map((field) => (
                  <td key={field.name}>
                    <SampleValue
                      field={field}
                      label={`${fieldLabel(field)}, row ${index + 1}`}
                      value={record[field.name] ?? null}
                      onChange={(value) =>
                        onChange(
                          entries.map((one, at) =>
                            at === index
                              ? { ...record, [field.name]: value }
                              : one,
                          ),
                        )
                      }
                    />
                  </td>
                ))}
                <td>
                  <RemoveEntry {...props} index={index} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
