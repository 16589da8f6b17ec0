import { useState } from "preact/hooks";
import { askPublic, type Schemas } from "../api.js";
import { toLocalDateTime } from "../format.js";
import { t } from "../messages/index.js";
import { useResource } from "../resource.js";
import { FormDialog } from "../ui/dialog.js";
import { DateTimeField, InputField } from "../ui/form.js";
import { LoadStatus } from "../ui/loading.js";
import { LabeledSelect } from "../ui/select.js";
import {
  FormatChoice,
  type FormatSource,
  listFileFields,
  ModeChoice,
} from "../wizard/file-step.js";
import { loadTable } from "../wizard/steps.js";

export type ButtonRecords = NonNullable<Schemas["Link"]["records"]>;

/** A button in a table: a link that people without an account use. */
export type TableButton = Schemas["Link"];

interface EditButtonProps {
  button: TableButton;
  onChange: () => Promise<void>;
  onClose: () => void;
}

/** Changes what a button does; its address, template and table stay. */
export function EditButton({ button, onChange, onClose }: EditButtonProps) {
  const [form, setForm] = useState(() => toForm(button));
  const change = (changes: Partial<ButtonForm>) =>
    setForm((before) => ({ ...before, ...changes }));
  const send = async () => {
    const patch = toPatch(form, toForm(button));
    await askPublic(`links/${button.id}`, "PATCH", patch);
    await onChange();
    onClose();
  };
  return (
    <FormDialog
      title={t("buttons.editButton")}
      act={t("common.save")}
      onSend={send}
      onClose={onClose}
    >
      <InputField
        label={t("common.name")}
        hint={t("wizard.shownAtTopOfPage")}
        required
        maxLength={200}
        pattern=".*\S.*"
        value={form.name}
        onChange={(name) => change({ name })}
      />
      <FileSettings button={button} form={form} onChange={change} />
      <DateTimeField
        words={t("common.expires")}
        hint={t("buttons.expiresHelp")}
        value={form.expires}
        onChange={(expires) => change({ expires })}
      />
    </FormDialog>
  );
}

interface FileSettingsProps {
  button: TableButton;
  form: ButtonForm;
  onChange: (changes: Partial<ButtonForm>) => void;
}

/** Name and expiry can be changed while the platform does not answer. */
function FileSettings({ button, form, onChange }: FileSettingsProps) {
  const opened = useResource(button.id, () => open(button));
  if (!opened.data)
    return (
      <LoadStatus
        resource={opened}
        what={t("buttons.couldntLoadTable")}
        count={1}
      />
    );
  const { table, template } = opened.data;
  return (
    <>
      <LabeledSelect
        label={t("buttons.savedTo")}
        value={form.field ?? undefined}
        options={listFileFields(table).map(({ name }) => [name, name])}
        none={t("wizard.dontSaveToTable")}
        onChange={(field) => onChange({ field: field ?? null })}
      />
      <FormatChoice
        template={template}
        formats={form.formats}
        onChange={(formats) => onChange({ formats })}
      />
      {form.field !== null && (
        <ModeChoice
          modes={table.modes}
          mode={form.mode}
          onChoose={(mode) => onChange({ mode })}
        />
      )}
    </>
  );
}

async function open({
  connectionId,
  baseId,
  tableId,
  templateId,
}: TableButton) {
  const [table, template] = await Promise.all([
    loadTable({ connection: connectionId, base: baseId ?? "", table: tableId }),
    askPublic<FormatSource>(`templates/${templateId}`),
  ]);
  return { table, template };
}

interface ButtonForm {
  name: string;
  /** Its name; null when files are not saved. */
  field: string | null;
  formats: string[];
  /** `append` or `replace`. */
  mode: string;
  /** The local time; empty: never. */
  expires: string;
}

function toForm(button: TableButton): ButtonForm {
  const { name, attachmentField: field, formats, expiresAt } = button;
  return {
    name,
    field,
    formats,
    mode: button.overwriteExisting ? "replace" : "append",
    expires: expiresAt === null ? "" : toLocalDateTime(Date.parse(expiresAt)),
  };
}

/** What was changed. @throws Error with a readable message. */
function toPatch(form: ButtonForm, before: ButtonForm) {
  const { name, field, formats, mode, expires } = form;
  if (formats.length === 0) throw new Error(t("wizard.chooseAtLeastOneKind"));
  return {
    name: name.trim(),
    ...(field !== before.field && { attachmentField: field }),
    ...(formats.join() !== before.formats.join() && { formats }),
    ...(mode !== before.mode && { overwriteExisting: mode === "replace" }),
    ...(expires !== before.expires && {
      expiresAt: expires === "" ? null : new Date(expires).toISOString(),
    }),
  };
}
