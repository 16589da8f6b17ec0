import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { t } from "../../messages/index.js";
import { ActionMenu } from "../../ui/action-menu.js";
import { Button } from "../../ui/button.js";
import { FormDialog } from "../../ui/dialog.js";
import { Choices } from "../../ui/form.js";
import { LabeledSelect, Select } from "../../ui/select.js";
import { FormatChoice } from "../../wizard/file-step.js";
import type { SettingsSchema } from "../connections/connection-settings.js";
import type { Template, DeliveryEntry } from "./templates.js";

/** Where a delivery can go to. */
export interface Receiver {
  /** The id of a connection; `email` is the mail server of the service. */
  id: string;
  name: string;
  takesMessage: boolean;
  target: SettingsSchema;
}

export const serviceMail = "email";

/** The setting of a target by which everything goes to one address, as a test. */
export const testSetting = "testTo";
/** The value that sends all to the person who starts the batch. */
const starter = "me";

/** A field of the record that texts may contain. */
export interface FieldOption {
  path: string;
  words: string;
}

interface DeliveryDialogProps {
  entry: DeliveryEntry;
  isNew: boolean;
  template: Template;
  receivers: readonly Receiver[];
  emailTemplates: readonly { id: string; name: string }[];
  fields: readonly FieldOption[];
  onSave: (entry: DeliveryEntry) => Promise<void>;
  onClose: () => void;
}

/** Where the documents of a template are delivered, as a message or as files in a storage. */
export function DeliveryDialog(props: DeliveryDialogProps) {
  const { isNew, receivers, onSave, onClose } = props;
  const [entry, setEntry] = useState(props.entry);
  const [isTemplate, setTemplate] = useState("template" in props.entry);
  const chosen = entry.connection ?? (isNew ? receivers[0]?.id : serviceMail);
  const receiver = receivers.find((candidate) => candidate.id === chosen);
  const save = async () => {
    if (!receiver) return;
    await onSave({
      connection: receiver.id,
      ...pickAccepted(entry, receiver, isTemplate ? "body" : "template"),
    });
    onClose();
  };
  const editing: Editing = {
    ...props,
    entry,
    onChange: (changes) => setEntry({ ...entry, ...changes }),
  };
  return (
    <FormDialog
      title={isNew ? t("deliveries.add") : t("deliveries.edit")}
      act={t("common.save")}
      onSend={save}
      onClose={onClose}
    >
      <LabeledSelect
        label={t("deliveries.to")}
        value={chosen}
        options={receivers.map((option) => [option.id, option.name] as const)}
        onChange={(connection = serviceMail) =>
          editing.onChange({ connection })
        }
      />
      {receiver?.takesMessage === true && (
        <MessageFields
          {...editing}
          receiver={receiver}
          isTemplate={isTemplate}
          onTemplate={setTemplate}
        />
      )}
      {receiver?.takesMessage === false && (
        <StorageFields {...editing} receiver={receiver} />
      )}
    </FormDialog>
  );
}

/** What the receiver's method accepts of an entry, which may have been one for another method. */
function pickAccepted(
  entry: DeliveryEntry,
  { target, takesMessage }: Receiver,
  excluded: "body" | "template",
): DeliveryEntry {
  const accepted = new Set([
    ...Object.keys(target.properties ?? {}),
    "formats",
    "filename",
    ...(takesMessage ? ["subject", "body", "template", "files"] : []),
  ]);
  accepted.delete(excluded);
  return Object.fromEntries(
    Object.entries(entry).filter(
      ([name, value]) =>
        accepted.has(name) && value !== undefined && value !== "",
    ),
  );
}

interface Editing extends Pick<
  DeliveryDialogProps,
  "entry" | "template" | "emailTemplates" | "fields"
> {
  onChange: (changes: DeliveryEntry) => void;
}

interface MessageFieldsProps extends Editing {
  receiver: Receiver;
  /** Whether an email template is the message. */
  isTemplate: boolean;
  onTemplate: (isTemplate: boolean) => void;
}

/** Fields that few people need appear on a click. */
function MessageFields(props: MessageFieldsProps) {
  const { entry, receiver, isTemplate, onChange } = props;
  const [revealed, setRevealed] = useState<readonly string[]>([]);
  const all = listSettings(receiver).filter(({ name }) => name !== testSetting);
  const [first, ...others] = all.filter(
    ({ name, isRequired }) =>
      isRequired || getText(entry, name) !== "" || revealed.includes(name),
  );
  const hidden = all.filter(
    (setting) =>
      setting !== first && !others.some(({ name }) => name === setting.name),
  );
  return (
    <>
      {first && (
        <EntryField {...props} {...first}>
          {hidden.map(({ name, label }) => (
            <Button
              key={name}
              kind="quiet"
              onPress={() => setRevealed([...revealed, name])}
            >
              {label}
            </Button>
          ))}
        </EntryField>
      )}
      {others.map((setting) => (
        <EntryField
          {...props}
          {...setting}
          key={setting.name}
          isFocused={revealed.includes(setting.name)}
        />
      ))}
      <EntryField
        {...props}
        name="subject"
        label={t("common.subject")}
        placeholder={
          isTemplate
            ? t("deliveries.subjectOfTemplate")
            : t("deliveries.subjectOfDocument")
        }
      />
      <MessageBody {...props} />
      <Options names={[testSetting, "files", "formats", "filename"]} {...props}>
        {testSetting in (receiver.target.properties ?? {}) && (
          <TestMode {...props} />
        )}
        <fieldset class="checks">
          <legend class="label">{t("deliveries.files")}</legend>
          <Choices
            legend={t("deliveries.files")}
            options={[
              ["attach", t("deliveries.attached")],
              ["link", t("deliveries.linked")],
            ]}
            value={entry["files"] === "link" ? "link" : "attach"}
            onChoose={(files) =>
              onChange({ files: files === "attach" ? undefined : files })
            }
          />
        </fieldset>
        <FormatsField {...props} />
        <FileNameField {...props} />
      </Options>
    </>
  );
}

function StorageFields(props: Editing & { receiver: Receiver }) {
  return (
    <>
      {listSettings(props.receiver).map((setting) => (
        <EntryField {...props} {...setting} key={setting.name} />
      ))}
      <FileNameField {...props} />
      <Options names={["formats"]} {...props}>
        <FormatsField {...props} />
      </Options>
    </>
  );
}

/** A text, or an email template that is merged with the same record. */
function MessageBody(props: MessageFieldsProps) {
  const { entry, emailTemplates, isTemplate, onTemplate, onChange } = props;
  const id = useId();
  const chosen = getText(entry, "template");
  const canChoose = emailTemplates.length > 0 || chosen !== "";
  const kinds = canChoose && (
    <Choices
      legend={t("common.message")}
      options={[
        ["text", t("common.text")],
        ["template", t("deliveries.emailTemplate")],
      ]}
      value={isTemplate ? "template" : "text"}
      onChoose={(kind) => {
        onTemplate(kind === "template");
        if (chosen === "") onChange({ template: emailTemplates[0]?.id });
      }}
    />
  );
  if (!isTemplate)
    return (
      <EntryField {...props} name="body" label={t("common.message")} isLong>
        {kinds}
      </EntryField>
    );
  return (
    <div class="field">
      <div class="label-row">
        <label for={id}>{t("common.message")}</label>
        {kinds}
      </div>
      <Select
        id={id}
        isLarge
        value={chosen}
        options={emailTemplates.map(
          (emailTemplate) => [emailTemplate.id, emailTemplate.name] as const,
        )}
        onChange={(template) => onChange({ template })}
      />
    </div>
  );
}

/** Whether everything goes to one address instead of the recipients. */
function TestMode({ entry, onChange }: Editing) {
  const id = useId();
  const address = getText(entry, testSetting);
  const [kind, setKind] = useState(
    address === "" ? "off" : address === starter ? "starter" : "address",
  );
  return (
    <div class="field">
      <label for={id}>{t("deliveries.testMode")}</label>
      <Select
        id={id}
        isLarge
        value={kind}
        options={[
          ["off", t("deliveries.testOff")],
          ["starter", t("deliveries.testToStarter")],
          ["address", t("deliveries.testToAddress")],
        ]}
        onChange={(next = "off") => {
          setKind(next);
          onChange({ [testSetting]: next === "starter" ? starter : "" });
        }}
      />
      {kind === "address" && (
        <input
          class="input"
          type="email"
          required
          aria-label={t("deliveries.testAddress")}
          value={address}
          onInput={({ currentTarget: { value } }) =>
            onChange({ [testSetting]: value })
          }
        />
      )}
    </div>
  );
}

function FormatsField({ entry, template, onChange }: Editing) {
  const { formats } = entry;
  return (
    <div class="field">
      <FormatChoice
        template={template}
        formats={Array.isArray(formats) ? formats.map(String) : []}
        onChange={(chosen) =>
          onChange({ formats: chosen.length > 0 ? chosen : undefined })
        }
      />
      <span class="hint">{t("deliveries.formatsHelp")}</span>
    </div>
  );
}

function FileNameField(props: Editing) {
  return (
    <EntryField
      {...props}
      name="filename"
      label={t("page.fileName")}
      hint={t("deliveries.filenameHelp")}
    />
  );
}

interface OptionsProps extends Pick<Editing, "entry"> {
  /** What is set here. */
  names: readonly string[];
  children: ComponentChildren;
}

/** Open from the start if something in it is set. */
function Options({ names, entry, children }: OptionsProps) {
  const [isOpen] = useState(() => names.some((name) => name in entry));
  return (
    <details class="aside" open={isOpen}>
      <summary>{t("deliveries.options")}</summary>
      <div class="stack">{children}</div>
    </details>
  );
}

function getText(entry: DeliveryEntry, name: string): string {
  const value = entry[name];
  return typeof value === "string" ? value : "";
}

interface Setting {
  name: string;
  label: string;
  hint?: string | undefined;
  placeholder?: string;
  isRequired?: boolean;
  isLong?: boolean;
}

function listSettings({ target }: Receiver): Setting[] {
  const { properties = {}, required = [] } = target;
  return Object.entries(properties).map(([name, { title, description }]) => ({
    name,
    label: title ?? name,
    hint: description,
    isRequired: required.includes(name),
  }));
}

interface EntryFieldProps extends Setting, Editing {
  isFocused?: boolean;
  /** Beside the label. */
  children?: ComponentChildren;
}

/** A text with expressions, and the fields that can be inserted at its caret. */
function EntryField(props: EntryFieldProps) {
  const { name, label, hint, placeholder, isLong, entry, onChange } = props;
  const id = useId();
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const value = getText(entry, name);
  useLayoutEffect(() => {
    if (props.isFocused === true) input.current?.focus();
  }, []);
  const insert = (path: string) => {
    const field = input.current;
    if (!field) return;
    const { selectionStart, selectionEnd } = field;
    field.focus();
    field.setRangeText(`{{${path}}}`, selectionStart, selectionEnd, "end");
    onChange({ [name]: field.value });
  };
  const shared = {
    id,
    ref: input,
    value,
    placeholder,
    required: props.isRequired ?? false,
    spellcheck: false,
    "aria-describedby": hint === undefined ? undefined : `${id}-hint`,
    onInput: (event: { currentTarget: { value: string } }) =>
      onChange({ [name]: event.currentTarget.value }),
  };
  return (
    <div class="field">
      <div class="label-row">
        <label for={id}>{label}</label>
        {props.children}
      </div>
      <div class="insertable">
        {isLong ? (
          <textarea {...shared} class="input low" rows={6} />
        ) : (
          <input {...shared} class="input" type="text" autocomplete="off" />
        )}
        {props.fields.length > 0 && (
          <ActionMenu
            label={t("deliveries.insertFieldInto", { label })}
            icon="data"
            isQuiet
            actions={props.fields.map(({ path, words }) => ({
              words,
              icon: "data",
              onPress: () => insert(path),
            }))}
          />
        )}
      </div>
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}
