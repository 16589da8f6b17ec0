import { useId } from "preact/hooks";
import { kindOf, type SettingSchema } from "./settings.js";

interface SettingFieldProps {
  name: string;
  schema: SettingSchema;
  isRequired: boolean;
  value: string | boolean | undefined;
  onChange: (value: string | boolean) => void;
}

/** A field for one setting of a plugin, made of its schema. */
export function SettingField(props: SettingFieldProps) {
  const id = useId();
  const { name, schema } = props;
  const title = schema.title ?? name;
  const hint = hintOf(schema);
  if (kindOf(schema) === "switch") return <Switch {...props} />;
  return (
    <div class="field">
      <label for={id}>{title}</label>
      <Control {...props} id={id} />
      {hint !== "" && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

function Switch({ name, schema, value, onChange }: SettingFieldProps) {
  const isOn = value ?? schema.default === true;
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isOn === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span class="words">
        {schema.title ?? name}
        {schema.description && (
          <span class="muted small">{schema.description}</span>
        )}
      </span>
    </label>
  );
}

type ControlProps = SettingFieldProps & { id: string };

/** What every kind of field has. */
function sharedOf({ id, schema, isRequired, value, onChange }: ControlProps) {
  return {
    id,
    class: "input",
    required: isRequired,
    value: String(value ?? ""),
    "aria-describedby": hintOf(schema) === "" ? undefined : `${id}-hint`,
    onInput: (event: { currentTarget: { value: string } }) =>
      onChange(event.currentTarget.value),
  };
}

function Control(props: ControlProps) {
  const { schema } = props;
  const kind = kindOf(schema);
  const shared = sharedOf(props);
  if (kind === "choice")
    return (
      <select {...shared}>
        <option value="">Choose</option>
        {schema.enum?.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    );
  if (kind === "list" || kind === "json" || isLong(schema))
    return <textarea {...shared} class="input code low" spellcheck={false} />;
  const more = { autocomplete: "off", spellcheck: false } as const;
  if (kind === "number")
    return (
      <input
        {...shared}
        type="number"
        min={schema.minimum}
        max={schema.maximum}
      />
    );
  if (kind === "secret")
    return (
      <input
        {...shared}
        {...more}
        type="password"
        autocomplete="new-password"
      />
    );
  return <input {...shared} {...more} type="text" />;
}

/** A certificate has lines, which a field of one line would lose. */
function isLong({ description = "", writeOnly }: SettingSchema): boolean {
  return !writeOnly && description.includes("PEM");
}

function hintOf(schema: SettingSchema): string {
  const { description = "" } = schema;
  const kind = kindOf(schema);
  if (kind === "list") return `${description} One a line.`.trim();
  if (kind === "json") return `${description} As JSON.`.trim();
  return description;
}
