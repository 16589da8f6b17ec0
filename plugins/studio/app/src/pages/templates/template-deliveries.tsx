import { useId, useRef, useState } from "preact/hooks";
import type { DataCollection } from "../../../../../../core/plugin-api/definition.js";
import { askPublic } from "../../api.js";
import { t } from "../../messages/index.js";
import { rich } from "../../messages/rich.js";
import { useResource } from "../../resource.js";
import { Link } from "../../router.js";
import { may } from "../../session.js";
import { Button } from "../../ui/button.js";
import { FormDialog } from "../../ui/dialog.js";
import { Icon } from "../../ui/icon.js";
import { LoadStatus } from "../../ui/loading.js";
import { Empty } from "../../ui/notice.js";
import { Select } from "../../ui/select.js";
import { toast } from "../../ui/toast.js";
import {
  type Connection,
  type SettingsSchema,
  translateSettings,
} from "../connections/connection-settings.js";
import type { Template } from "./template.js";

/** An entry of `deliver`: a connection, the properties of its method's target, and those that all methods have. */
export type DeliveryEntry = Record<string, unknown> & { connection?: string };

interface Method {
  id: string;
  title: string;
  state: "ready" | "broken";
  capabilities: { message: boolean } | null;
  credentials: SettingsSchema | null;
  target: SettingsSchema | null;
}

/** Where a delivery can go to. */
interface Receiver {
  /** The id of a connection; `email` is the mail server of the service. */
  id: string;
  name: string;
  takesMessage: boolean;
  target: SettingsSchema;
}

const serviceMail = "email";

async function loadReceivers(): Promise<Receiver[]> {
  const [methods, connections] = await Promise.all([
    askPublic<{ data: Method[] }>("delivery-methods"),
    askPublic<{ data: Connection[] }>("connections?pageSize=100"),
  ]);
  const toReceivers = (id: string, name: string, plugin: string | null) => {
    const method = methods.data.find((one) => one.id === plugin);
    if (!method?.target) return [];
    const takesMessage = method.capabilities?.message === true;
    return [
      { id, name, takesMessage, target: translateSettings(method.target) },
    ];
  };
  return [
    ...connections.data
      .filter(({ kind }) => kind === "delivery")
      .flatMap(({ id, name, delivery }) => toReceivers(id, name, delivery)),
    ...toReceivers(serviceMail, t("deliveries.serviceMail"), serviceMail),
  ];
}

interface TemplateDeliveriesProps {
  template: Template;
  onChange: () => unknown;
}

/** Where a template's documents go unless a batch, a link or an automation says otherwise. */
export function TemplateDeliveries(props: TemplateDeliveriesProps) {
  const { template, onChange } = props;
  const receivers = useResource("receivers", loadReceivers);
  const [edited, setEdited] = useState<number | null>(null);
  const entries = template.deliver ?? [];
  const save = async (changed: readonly DeliveryEntry[]) => {
    await askPublic(`templates/${template.id}`, "PATCH", {
      deliver: changed.length > 0 ? changed : null,
    });
    await onChange();
    toast(t("deliveries.saved"));
  };
  const { data } = receivers;
  return (
    <section class="stack" aria-label={t("deliveries.delivery")}>
      <p class="muted">{t("deliveries.templateLead")}</p>
      <LoadStatus
        resource={receivers}
        what={t("deliveries.couldntLoad")}
        count={1}
      />
      {data && entries.length === 0 && (
        <Empty icon="webhooks" title={t("deliveries.none")}>
          <p>{t("deliveries.noneHelp")}</p>
        </Empty>
      )}
      {data && entries.length > 0 && (
        <ol class="card lines">
          {entries.map((entry, index) => (
            <EntryLine
              key={index}
              entry={entry}
              receivers={data}
              onEdit={() => setEdited(index)}
              onRemove={() => save(entries.filter((one) => one !== entry))}
            />
          ))}
        </ol>
      )}
      {data && may("editor") && (
        <div class="row">
          <Button onPress={() => setEdited(entries.length)}>
            <Icon name="plus" />
            {t("deliveries.add")}
          </Button>
          <span class="muted small">
            {rich("deliveries.connectionsHelp", {
              link: (text) => <Link to="connections">{text}</Link>,
            })}
          </span>
        </div>
      )}
      {data && edited !== null && (
        <EntryDialog
          entry={entries[edited] ?? {}}
          isNew={edited >= entries.length}
          receivers={data}
          fields={listFields(template.definition.schema ?? [])}
          onSave={(entry) => {
            const changed = [...entries];
            changed[edited] = entry;
            return save(changed);
          }}
          onClose={() => setEdited(null)}
        />
      )}
    </section>
  );
}

interface EntryLineProps {
  entry: DeliveryEntry;
  receivers: readonly Receiver[];
  onEdit: () => void;
  onRemove: () => Promise<void>;
}

function EntryLine({ entry, receivers, onEdit, onRemove }: EntryLineProps) {
  const { connection = serviceMail, ...rest } = entry;
  const receiver = receivers.find(({ id }) => id === connection);
  const name = receiver?.name ?? t("deliveries.unknownConnection");
  const place = Object.keys(receiver?.target.properties ?? {})
    .map((property) => rest[property])
    .find((value) => typeof value === "string" && value !== "");
  return (
    <li class="line">
      <div class="words">
        <strong>{name}</strong>
        {typeof place === "string" && <code class="small">{place}</code>}
      </div>
      {may("editor") && (
        <div class="row">
          {receiver && (
            <Button
              label={t("deliveries.editName", { name })}
              onPress={async () => onEdit()}
            >
              {t("common.edit")}
            </Button>
          )}
          <Button
            label={t("deliveries.removeName", { name })}
            onPress={onRemove}
          >
            {t("common.remove")}
          </Button>
        </div>
      )}
    </li>
  );
}

interface EntryDialogProps {
  entry: DeliveryEntry;
  isNew: boolean;
  receivers: readonly Receiver[];
  fields: readonly FieldOption[];
  onSave: (entry: DeliveryEntry) => Promise<void>;
  onClose: () => void;
}

function EntryDialog(props: EntryDialogProps) {
  const { isNew, receivers, fields, onSave, onClose } = props;
  const id = useId();
  const [entry, setEntry] = useState(props.entry);
  const chosen = entry.connection ?? (isNew ? receivers[0]?.id : serviceMail);
  const receiver = receivers.find((one) => one.id === chosen);
  const names = receiver ? listSettings(receiver) : [];
  const save = async () => {
    const kept = names.flatMap(({ name }) => {
      const value = entry[name];
      return value === undefined || value === "" ? [] : [[name, value]];
    });
    // What this form does not show, such as `formats`.
    const others = Object.entries(props.entry).filter(([name]) =>
      hiddenNames.has(name),
    );
    await onSave({
      ...Object.fromEntries([...others, ...kept]),
      ...(chosen !== undefined && { connection: chosen }),
    });
    onClose();
  };
  return (
    <FormDialog
      title={isNew ? t("deliveries.add") : t("deliveries.edit")}
      act={t("common.save")}
      onSend={save}
      onClose={onClose}
    >
      <div class="field">
        <label for={id}>{t("deliveries.to")}</label>
        <Select
          id={id}
          isLarge
          value={chosen}
          options={receivers.map((one) => [one.id, one.name] as const)}
          onChange={(connection) =>
            setEntry(
              connection === undefined ? entry : { ...entry, connection },
            )
          }
        />
      </div>
      {names.map((setting) => (
        <TextField
          key={setting.name}
          {...setting}
          fields={fields}
          value={textOf(entry[setting.name])}
          onChange={(value) => setEntry({ ...entry, [setting.name]: value })}
        />
      ))}
    </FormDialog>
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Kept as they are when an entry is changed. */
const hiddenNames = new Set(["formats", "template", "files"]);

interface TextSetting {
  name: string;
  label: string;
  hint?: string | undefined;
  isRequired?: boolean;
  isLong?: boolean;
}

/** The target's settings, and those that all deliveries have. */
function listSettings({ target, takesMessage }: Receiver): TextSetting[] {
  const { properties = {}, required = [] } = target;
  return [
    ...Object.entries(properties).map(([name, { title, description }]) => ({
      name,
      label: title ?? name,
      hint: description,
      isRequired: required.includes(name),
    })),
    ...(takesMessage
      ? [
          { name: "subject", label: t("deliveries.subject") },
          { name: "body", label: t("deliveries.body"), isLong: true },
        ]
      : []),
    {
      name: "filename",
      label: t("deliveries.filename"),
      hint: t("deliveries.filenameHelp"),
    },
  ];
}

interface TextFieldProps extends TextSetting {
  fields: readonly FieldOption[];
  value: string;
  onChange: (value: string) => void;
}

/** A text with expressions, and the fields that can be inserted at its caret. */
function TextField(props: TextFieldProps) {
  const { label, hint, isRequired, isLong, fields, value, onChange } = props;
  const id = useId();
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const insert = (path: string) => {
    const { selectionStart, selectionEnd } = input.current ?? {};
    const from = selectionStart ?? value.length;
    const text = `{{${path}}}`;
    onChange(value.slice(0, from) + text + value.slice(selectionEnd ?? from));
    input.current?.focus();
  };
  const shared = {
    id,
    ref: input,
    class: "input",
    value,
    required: isRequired ?? false,
    spellcheck: false,
    "aria-describedby": hint === undefined ? undefined : `${id}-hint`,
    onInput: (event: { currentTarget: { value: string } }) =>
      onChange(event.currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {isLong ? (
        <textarea {...shared} rows={4} />
      ) : (
        <input {...shared} type="text" autocomplete="off" />
      )}
      {fields.length > 0 && (
        <Select
          label={t("deliveries.insertFieldInto", { label })}
          value=""
          none={t("deliveries.insertField")}
          options={fields.map(({ path, words }) => [path, words] as const)}
          onChange={(path) => path !== undefined && insert(path)}
        />
      )}
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

interface FieldOption {
  path: string;
  words: string;
}

/** The single values of a record: its own, and those of records that it links to. */
function listFields(schema: readonly DataCollection[]): FieldOption[] {
  const list = (id: string, path: string, depth: number): FieldOption[] =>
    (schema.find((one) => one.id === id)?.fields ?? []).flatMap((field) => {
      const own = `${path}.${field.name}`;
      if (field.type === "OneToManyLink") return [];
      if (field.type === "OneToOneLink")
        return depth > 0 ? list(field.target, own, depth - 1) : [];
      return [{ path: own, words: own.replace(/^root\./, "") }];
    });
  return list("root", "root", 1);
}
