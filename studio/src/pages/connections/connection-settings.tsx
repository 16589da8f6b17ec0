import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import type { AuthorizationOffer } from "../../../../core/integrations/host/views.js";
import type { AuthorizationTarget } from "../../../../core/integrations/connections/views.js";
import type { SettingsTranslation } from "../../../../core/plugin-api/plugin.js";
import { ask, askPublic, type Schemas } from "../../api.js";
import { path, place } from "../../router.js";
import { Button } from "../../ui/button.js";
import { copyText } from "../../ui/dialog.js";
import { InputField } from "../../ui/form.js";
import { Icon } from "../../ui/icon.js";
import { type Language, language, t } from "../../messages/index.js";

export type ConnectionKind = "platform" | "esign" | "delivery";

export type Connection = Schemas["Connection"];

/** An installed platform, e-signature provider or delivery method to connect to. */
export interface Target {
  kind: ConnectionKind;
  id: string;
  title: string;
  state: "ready" | "broken";
  /** Why it is broken. */
  reason: string | null;
  credentials: SettingsSchema | null;
  /** Secrets that a person's consent gives; null when they have to be entered. */
  authorization: Authorization | null;
}

/** The page on which a person consents. */
export interface Authorization extends AuthorizationOffer {
  /** To be registered with the person's own client. */
  redirectUri: string;
}

type Listing = {
  data: (Omit<Target, "kind" | "authorization"> & {
    capabilities: { files?: boolean } | null;
  })[];
};

export async function loadTargets(): Promise<Target[]> {
  const [platforms, providers, methods, authorizations] = await Promise.all([
    askPublic<Listing>("platforms"),
    askPublic<Listing>("esign-providers"),
    askPublic<Listing>("delivery-methods"),
    ask<{ redirectUri: string; offers: AuthorizationOffer[] }>(
      "authorizations",
    ),
  ]);
  const { redirectUri, offers } = authorizations;
  const toTarget =
    (kind: ConnectionKind) => (plugin: Listing["data"][number]) => {
      const offer = offers.find(
        ({ kind: of, id }) => of === kind && id === plugin.id,
      );
      const authorization = offer ? { ...offer, redirectUri } : null;
      return { ...translate(plugin), kind, authorization };
    };
  return [
    ...platforms.data
      // Files need no connection.
      .filter(({ capabilities }) => capabilities?.files !== true)
      .map(toTarget("platform")),
    ...providers.data.map(toTarget("esign")),
    ...methods.data.map(toTarget("delivery")),
  ];
}

function translate(target: Listing["data"][number]) {
  const { credentials, title } = target;
  if (credentials === null) return target;
  return {
    ...target,
    title: credentials.translations?.[language]?.title ?? title,
    credentials: translateSettings(credentials),
  };
}

/** The schema with titles and descriptions in the user's language, as far as the plugin has them. */
export function translateSettings(schema: SettingsSchema): SettingsSchema {
  const { properties = {}, translations } = schema;
  const texts = translations?.[language]?.properties ?? {};
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        { ...property, ...texts[name] },
      ]),
    ),
  };
}

const returnKey = "platen-authorization-return";

/** Leaves for the page of the other side, where a person authorizes the connection. The page `connections/return` goes on. */
export async function authorize(target: AuthorizationTarget): Promise<void> {
  const { url } = await ask<{ url: string }>("authorizations", "POST", target);
  sessionStorage.setItem(returnKey, path.value + place.value.search);
  location.assign(url);
}

/** The page on which `authorize` was called. */
export function getAuthorizationStart(): string {
  return sessionStorage.getItem(returnKey) ?? "connections";
}

interface TargetPickerProps {
  targets: Target[];
  onChoose: (target: Target) => void;
}

export function TargetPicker({ targets, onChoose }: TargetPickerProps) {
  const kinds = [
    ["platform", t("common.records")],
    ["esign", t("page.signatures")],
    ["delivery", t("deliveries.delivery")],
  ] as const;
  const shownKinds = kinds.filter(([kind]) =>
    targets.some((target) => target.kind === kind),
  );
  return (
    <div class="stack">
      {shownKinds.map(([kind, words]) => (
        <section class="stack close" key={kind} aria-label={words}>
          {shownKinds.length > 1 && <h3>{words}</h3>}
          <ul class="targets">
            {targets
              .filter((target) => target.kind === kind)
              .map((target) => (
                <li key={target.id}>
                  {target.state === "ready" ? (
                    <button
                      type="button"
                      class="target"
                      onClick={() => onChoose(target)}
                    >
                      {target.title}
                      <Icon name="next" size={16} />
                    </button>
                  ) : (
                    <p class="small muted">
                      {target.title}: {target.reason}
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

/** What a person enters for a new connection. @param id of the input of its name. */
export function useNewConnection(target: Target, id: string) {
  const [name, setName] = useState(target.title);
  const [form, setForm] = useState<SettingsForm>({});
  const schema = target.credentials ?? {};
  const read = () => ({ name, credentials: toCredentials(schema, form) });
  const fields = (
    <>
      <InputField
        label={t("common.name")}
        id={id}
        required
        maxLength={255}
        value={name}
        onChange={setName}
      />
      <SettingFields
        schema={schema}
        form={form}
        onChange={setForm}
        authorization={target.authorization}
        onAuthorize={() =>
          authorize({
            ...(target.kind === "delivery"
              ? { delivery: target.id }
              : { platform: target.id }),
            ...read(),
          })
        }
      />
    </>
  );
  return { read, fields };
}

interface SettingFieldsProps {
  schema: SettingsSchema;
  form: SettingsForm;
  onChange: (form: SettingsForm) => void;
  authorization: Authorization | null;
  /** Begins the authorization with what was entered. */
  onAuthorize: () => Promise<void>;
}

/** A form generated from a plugin's JSON Schema, with advanced settings folded away. */
export function SettingFields(props: SettingFieldsProps) {
  const { form, onChange, authorization } = props;
  const schema = applyConditions(props.schema, form);
  const required = schema.required ?? [];
  const all = Object.entries(schema.properties ?? {}).map(
    ([name, property]) => ({
      name,
      property,
      isRequired: required.includes(name),
    }),
  );
  const field = ({ name, property, isRequired }: (typeof all)[number]) => (
    <SettingField
      name={name}
      schema={property}
      isRequired={isRequired}
      value={form[name]}
      onChange={(value) => onChange({ ...form, [name]: value })}
      key={name}
    />
  );
  const { needs = [], grants = [] } = authorization ?? {};
  const entered = all.filter(({ name }) => needs.includes(name));
  const granted = all.filter(({ name }) => grants.includes(name));
  const others = all.filter(
    (setting) => ![...entered, ...granted].includes(setting),
  );
  const advanced = others.filter(({ property, isRequired }) =>
    isAdvanced(property, isRequired),
  );
  return (
    <>
      {authorization && (
        <AuthorizationFields
          {...props}
          authorization={authorization}
          isReady={needs.every((name) => (form[name] ?? "") !== "")}
        >
          {entered.map(field)}
        </AuthorizationFields>
      )}
      {granted.length > 0 && (
        <details class="aside">
          <summary>{t("connections.enterSecretInstead")}</summary>
          <div class="stack">{granted.map(field)}</div>
        </details>
      )}
      {others.filter((setting) => !advanced.includes(setting)).map(field)}
      {advanced.length > 0 && (
        <details class="aside">
          <summary>{t("connections.moreSettings")}</summary>
          <div class="stack">{advanced.map(field)}</div>
        </details>
      )}
    </>
  );
}

interface AuthorizationFieldsProps extends Pick<
  SettingFieldsProps,
  "onAuthorize"
> {
  authorization: Authorization;
  /** Whether all that it needs is entered. */
  isReady: boolean;
  children: ComponentChildren;
}

/** The client that a person has registered with the other side, and the button that leads there. */
function AuthorizationFields(props: AuthorizationFieldsProps) {
  const { authorization, isReady, onAuthorize, children } = props;
  const { title, redirectUri } = authorization;
  return (
    <section
      class="card padded stack"
      aria-label={t("connections.accountOf", { title })}
    >
      <p class="muted">{t("connections.ownClientHelp", { title })}</p>
      <div class="field">
        <span class="label">{t("connections.redirectUri")}</span>
        <div class="row">
          <code class="command">{redirectUri}</code>
          <Button
            label={t("connections.copyRedirectUri")}
            onPress={() => copyText(redirectUri, t("common.copied"))}
          >
            <Icon name="copy" />
            {t("common.copy")}
          </Button>
        </div>
      </div>
      {children}
      <div>
        <Button
          kind="primary"
          reason={isReady ? null : t("connections.enterClientFirst")}
          onPress={onAuthorize}
        >
          {t("connections.continueWith", { title })}
        </Button>
      </div>
    </section>
  );
}

interface SettingFieldProps {
  name: string;
  schema: SettingSchema;
  isRequired: boolean;
  value: string | boolean | undefined;
  onChange: (value: string | boolean) => void;
}

function SettingField(props: SettingFieldProps) {
  const id = useId();
  const { name, schema } = props;
  const title = schema.title ?? name;
  const hint = getHint(schema);
  if (getKind(schema) === "switch") return <Switch {...props} />;
  return (
    <div class="field">
      <label for={id}>{title}</label>
      <SettingInput {...props} id={id} />
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

type SettingInputProps = SettingFieldProps & { id: string };

function getInputProps({
  id,
  schema,
  isRequired,
  value,
  onChange,
}: SettingInputProps) {
  return {
    id,
    class: "input",
    required: isRequired,
    value: String(value ?? ""),
    "aria-describedby": getHint(schema) === "" ? undefined : `${id}-hint`,
    onInput: (event: { currentTarget: { value: string } }) =>
      onChange(event.currentTarget.value),
  };
}

function SettingInput(props: SettingInputProps) {
  const { schema } = props;
  const kind = getKind(schema);
  const shared = getInputProps(props);
  if (kind === "choice")
    return (
      <select {...shared}>
        <option value="">{t("connections.choose")}</option>
        {schema.enum?.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    );
  if (kind === "list" || kind === "json" || isMultiline(schema))
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

/** Certificates and keys have line breaks, which a single-line input would lose. */
function isMultiline({ contentMediaType }: SettingSchema): boolean {
  return contentMediaType === "application/x-pem-file";
}

function getHint(schema: SettingSchema): string {
  const { description = "" } = schema;
  const kind = getKind(schema);
  if (kind === "list")
    return t("connections.descriptionOnePerLine", { description }).trim();
  if (kind === "json")
    return t("connections.descriptionAsJson", { description }).trim();
  return description;
}

/** The subset of a JSON Schema property that the form supports. */
interface SettingSchema {
  type?: string;
  enum?: readonly string[];
  default?: unknown;
  title?: string;
  description?: string;
  format?: string;
  writeOnly?: boolean;
  /** `application/x-pem-file`: a text with line breaks. */
  contentMediaType?: string;
  minimum?: number;
  maximum?: number;
  items?: { type?: string };
}

export interface SettingsSchema {
  required?: readonly string[];
  properties?: Readonly<Record<string, SettingSchema>>;
  /** Settings that `then` names apply only when `if` matches. */
  allOf?: readonly SettingsCondition[];
  translations?: Readonly<Partial<Record<Language, SettingsTranslation>>>;
}

/** `if` lists the values of one or more settings. */
interface SettingsCondition {
  if?: {
    properties?: Readonly<Record<string, { enum?: readonly unknown[] }>>;
  };
  then?: {
    required?: readonly string[];
    properties?: Readonly<Record<string, unknown>>;
  };
}

/** The schema of the settings that apply to what was entered so far. */
function applyConditions(
  { required = [], properties = {}, allOf = [] }: SettingsSchema,
  form: SettingsForm,
): SettingsSchema {
  const matching = allOf.filter((condition) =>
    Object.entries(condition.if?.properties ?? {}).every(
      ([name, { enum: values }]) => values?.includes(form[name]) ?? true,
    ),
  );
  const conditional = listConditional(allOf);
  const applying = listConditional(matching);
  return {
    required: [
      ...required,
      ...matching.flatMap((condition) => condition.then?.required ?? []),
    ],
    properties: Object.fromEntries(
      Object.entries(properties).filter(
        ([name]) => !conditional.includes(name) || applying.includes(name),
      ),
    ),
  };
}

function listConditional(all: readonly SettingsCondition[]): string[] {
  return all.flatMap((condition) =>
    Object.keys(condition.then?.properties ?? {}),
  );
}

/** Values of the form by setting: booleans for switches, else text. */
export type SettingsForm = Readonly<Record<string, string | boolean>>;

type SettingKind =
  "text" | "secret" | "number" | "switch" | "choice" | "list" | "json";

function getKind(schema: SettingSchema): SettingKind {
  if (schema.enum) return "choice";
  if (schema.type === "boolean") return "switch";
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (schema.type === "array" && schema.items?.type === "string") return "list";
  if (schema.type === "array" || schema.type === "object") return "json";
  return schema.writeOnly ? "secret" : "text";
}

/** Whether the form folds the setting away because few people need it. */
function isAdvanced(schema: SettingSchema, isRequired: boolean): boolean {
  const kind = getKind(schema);
  const isSpecial = kind === "json" || kind === "list";
  return !isRequired && (isSpecial || schema.format === "uri");
}

/**
 * Converts the form's values to credentials, without those that do not apply and without empty ones, except for lists that
 * were saved as empty: an empty list may mean something else than the default. @param saved what the form began with.
 * @throws Error with a readable message when a field is not valid JSON.
 */
export function toCredentials(
  schema: SettingsSchema,
  form: SettingsForm,
  saved: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const { properties = {} } = applyConditions(schema, form);
  const entries = Object.entries(properties).flatMap(([name, property]) => {
    const given = form[name];
    const old = saved[name];
    const isKept = Array.isArray(old) && old.length === 0;
    if (given === undefined || (given === "" && !isKept)) return [];
    return [[name, parseValue(name, property, given)] as const];
  });
  return Object.fromEntries(entries);
}

/** The reverse of `toCredentials`. Secrets are missing, since the API never returns them. */
export function toForm(
  { properties = {} }: SettingsSchema,
  credentials: Readonly<Record<string, unknown>>,
): SettingsForm {
  const entries = Object.entries(properties).flatMap(([name, schema]) => {
    const value = credentials[name];
    if (value === undefined) return [];
    return [[name, toFormValue(schema, value)] as const];
  });
  return Object.fromEntries(entries);
}

function toFormValue(schema: SettingSchema, value: unknown): string | boolean {
  if (typeof value === "boolean" || typeof value === "string") return value;
  if (getKind(schema) === "list" && Array.isArray(value))
    return value.join("\n");
  return JSON.stringify(value, null, 2);
}

export function hasSecrets({ properties = {} }: SettingsSchema): boolean {
  return Object.values(properties).some(({ writeOnly }) => writeOnly);
}

function parseValue(
  name: string,
  schema: SettingSchema,
  given: string | boolean,
): unknown {
  if (typeof given === "boolean") return given;
  const kind = getKind(schema);
  if (kind === "number") return Number(given);
  if (kind === "list")
    return given
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
  if (kind !== "json") return given;
  try {
    return JSON.parse(given);
  } catch {
    throw new Error(
      t("connections.titleThisIsntValidJson", { title: schema.title ?? name }),
    );
  }
}
