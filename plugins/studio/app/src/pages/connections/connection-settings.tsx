import { useId } from "preact/hooks";
import { askPublic } from "../../api.js";
import { Icon } from "../../ui/icon.js";

export interface Connection {
  id: string;
  kind: "platform" | "esign";
  platform: string | null;
  provider: string | null;
  name: string;
  /** What is no secret of them. */
  credentials: Record<string, unknown>;
  state: "untested" | "working" | "failing";
  lastError: string | null;
  lastCheckedAt: string | null;
  /** Why it cannot be used at all now. */
  problem: string | null;
}

/** An installed platform or e-signature provider, to which connections lead. */
export interface Target {
  kind: "platform" | "esign";
  id: string;
  title: string;
  state: "ready" | "broken";
  /** Why it is broken. */
  reason: string | null;
  credentials: SettingsSchema | null;
}

type Told = { data: Omit<Target, "kind">[] };

/** All that are installed, platforms first. */
export async function readTargets(): Promise<Target[]> {
  const [platforms, providers] = await Promise.all([
    askPublic<Told>("platforms"),
    askPublic<Told>("esign-providers"),
  ]);
  return [
    ...platforms.data.map((one) => ({ ...one, kind: "platform" as const })),
    ...providers.data.map((one) => ({ ...one, kind: "esign" as const })),
  ];
}

interface TargetChoiceProps {
  targets: Target[];
  onChoose: (target: Target) => void;
}

/** All that a connection can lead to; those that are broken with the reason. */
export function TargetChoice({ targets, onChoose }: TargetChoiceProps) {
  const kinds = [
    ["platform", "Records"],
    ["esign", "Signatures"],
  ] as const;
  const shown = kinds.filter(([kind]) =>
    targets.some((one) => one.kind === kind),
  );
  return (
    <div class="stack">
      {shown.map(([kind, words]) => (
        <section class="stack close" key={kind} aria-label={words}>
          {shown.length > 1 && <h3>{words}</h3>}
          <ul class="targets">
            {targets
              .filter((one) => one.kind === kind)
              .map((one) => (
                <li key={one.id}>
                  {one.state === "ready" ? (
                    <button
                      type="button"
                      class="target"
                      onClick={() => onChoose(one)}
                    >
                      {one.title}
                      <Icon name="next" size={16} />
                    </button>
                  ) : (
                    <p class="small muted">
                      {one.title}: {one.reason}
                    </p>
                  )}
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

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

interface SettingFieldProps {
  name: string;
  schema: SettingSchema;
  isRequired: boolean;
  value: string | boolean | undefined;
  onChange: (value: string | boolean) => void;
}

/** A field for one setting of a plugin, made of its schema. */
function SettingField(props: SettingFieldProps) {
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

/** A property of a plugin's JSON Schema, as far as a form makes something of it. */
interface SettingSchema {
  type?: string;
  enum?: readonly string[];
  default?: unknown;
  title?: string;
  description?: string;
  format?: string;
  writeOnly?: boolean;
  minimum?: number;
  maximum?: number;
  items?: { type?: string };
}

export interface SettingsSchema {
  required?: readonly string[];
  properties?: Readonly<Record<string, SettingSchema>>;
}

/** What a form has in a field: text for all but switches. */
export type Draft = Readonly<Record<string, string | boolean>>;

type SettingKind =
  "text" | "secret" | "number" | "switch" | "choice" | "list" | "json";

function kindOf(schema: SettingSchema): SettingKind {
  if (schema.enum) return "choice";
  if (schema.type === "boolean") return "switch";
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (schema.type === "array" && schema.items?.type === "string") return "list";
  if (schema.type === "array" || schema.type === "object") return "json";
  return schema.writeOnly ? "secret" : "text";
}

/** Whether a form may put it aside: few need it. */
function isAside(schema: SettingSchema, isRequired: boolean): boolean {
  const kind = kindOf(schema);
  const isSpecial = kind === "json" || kind === "list";
  return !isRequired && (isSpecial || schema.format === "uri");
}

/**
 * The credentials that a form holds; what was left empty is left out.
 * @throws Error in words, for a field that is no JSON.
 */
export function credentialsOf(
  { properties = {} }: SettingsSchema,
  draft: Draft,
): Record<string, unknown> {
  const entries = Object.entries(properties).flatMap(([name, schema]) => {
    const given = draft[name];
    if (given === undefined || given === "") return [];
    return [[name, valueOf(name, schema, given)] as const];
  });
  return Object.fromEntries(entries);
}

/** The other way round; of secrets, nothing is known. */
export function draftOf(
  { properties = {} }: SettingsSchema,
  credentials: Readonly<Record<string, unknown>>,
): Draft {
  const entries = Object.entries(properties).flatMap(([name, schema]) => {
    const value = credentials[name];
    if (value === undefined) return [];
    return [[name, draftValue(schema, value)] as const];
  });
  return Object.fromEntries(entries);
}

function draftValue(schema: SettingSchema, value: unknown): string | boolean {
  if (typeof value === "boolean" || typeof value === "string") return value;
  if (kindOf(schema) === "list" && Array.isArray(value))
    return value.join("\n");
  return JSON.stringify(value, null, 2);
}

export function hasSecrets({ properties = {} }: SettingsSchema): boolean {
  return Object.values(properties).some(({ writeOnly }) => writeOnly);
}

function valueOf(
  name: string,
  schema: SettingSchema,
  given: string | boolean,
): unknown {
  if (typeof given === "boolean") return given;
  const kind = kindOf(schema);
  if (kind === "number") return Number(given);
  if (kind === "list") return given.split("\n").map(trimmed).filter(Boolean);
  if (kind !== "json") return given;
  try {
    return JSON.parse(given);
  } catch {
    throw new Error(`${schema.title ?? name}: this is no JSON yet.`);
  }
}

function trimmed(line: string): string {
  return line.trim();
}
