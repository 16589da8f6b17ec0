import { SettingField } from "./setting-field.js";
import { type Draft, isAside, type SettingsSchema } from "./settings.js";

interface SettingFieldsProps {
  schema: SettingsSchema;
  draft: Draft;
  onChange: (draft: Draft) => void;
}

/** A form for what a plugin's JSON Schema asks; what few need is folded away. */
export function SettingFields(props: SettingFieldsProps) {
  const { schema, draft, onChange } = props;
  const required = schema.required ?? [];
  const all = Object.entries(schema.properties ?? {}).map(([name, one]) => ({
    name,
    one,
    isRequired: required.includes(name),
  }));
  const field = ({ name, one, isRequired }: (typeof all)[number]) => (
    <SettingField
      name={name}
      schema={one}
      isRequired={isRequired}
      value={draft[name]}
      onChange={(value) => onChange({ ...draft, [name]: value })}
      key={name}
    />
  );
  const aside = all.filter(({ one, isRequired }) => isAside(one, isRequired));
  return (
    <>
      {all.filter((one) => !aside.includes(one)).map(field)}
      {aside.length > 0 && (
        <details class="aside">
          <summary>More settings</summary>
          <div class="stack">{aside.map(field)}</div>
        </details>
      )}
    </>
  );
}
