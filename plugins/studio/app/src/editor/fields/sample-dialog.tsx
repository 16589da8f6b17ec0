import { useState, useId } from "preact/hooks";
import type { RecentPayload } from "../../../../../../core/plugin-api/app-drafts.js";
import type {
  Json,
  DataCollection,
  Field,
} from "../../../../../../core/plugin-api/definition.js";
import { parseLosslessJson } from "../../../../../../core/plugin-api/lossless-json.js";
import { ask } from "../../api.js";
import { useResource } from "../../resource.js";
import { LoadStatus } from "../../ui/loading.js";
import { Button } from "../../ui/button.js";
import { Choices } from "../../ui/form.js";
import { Dialog } from "../../ui/dialog.js";
import { AddButton, IconButton } from "../../ui/icon-button.js";
import { useEditor } from "../model/editor-context.js";
import type { Editor } from "../model/editor.js";
import { findSyntaxError } from "../json/read-json.js";
import type { ValueKind } from "../rules/logic.js";
import { ValueInput } from "../rules/value-input.js";
import type { DraftSession } from "../session/draft-session.js";
import { isObject } from "../model/same-json.js";
import {
  createEntry,
  fillSample,
  type JsonRecord,
  toRecord,
} from "./make-sample.js";
import {
  getRoot,
  setSchema,
  getFieldLabel,
  inferSchema,
} from "./schema-edits.js";
import { momentOf } from "../../format.js";
import { t } from "../../messages/index.js";

type View = "form" | "json" | "recent";

const views = [
  ["form", t("common.fields")],
  ["json", t("fields.asJson")],
  ["recent", t("fields.recentData")],
] as const;

interface SampleDialogProps {
  session: DraftSession;
  onClose: () => void;
}

/** The record that the page and the preview show. */
export function SampleDialog({ session, onClose }: SampleDialogProps) {
  const editor = useEditor();
  const [view, setView] = useState<View>("form");
  const set = (next: Json, thread: string | null = null) =>
    editor.change(
      t("fields.changeSample"),
      (draft) => {
        draft.sample = next;
      },
      thread,
    );
  const replaceSample = (next: Json) => {
    set(next);
    setView("form");
  };
  return (
    <Dialog title={t("fields.sampleData")} onClose={onClose}>
      <div class="sample">
        <p class="data-hint">{t("fields.sampleHelp")}</p>
        <Choices
          legend={t("fields.view")}
          options={views}
          value={view}
          onChoose={setView}
        />
        <div class="sample-body">
          {view === "form" && <SampleForm onChange={set} />}
          {view === "json" && <SampleJson onChange={set} />}
          {view === "recent" && (
            <RecentPayloads session={session} onChoose={replaceSample} />
          )}
        </div>
      </div>
      <SampleActions onClose={onClose} onMake={replaceSample} />
    </Dialog>
  );
}

interface SampleProps {
  onChange: (sample: Json, thread: string) => void;
}

function SampleForm({ onChange }: SampleProps) {
  const { definition, mayEdit } = useEditor();
  const { schema, sample } = definition.value;
  const root = getRoot(schema);
  return (
    <fieldset class="sample-all" disabled={!mayEdit}>
      <legend class="hidden-text">{t("fields.itsFields")}</legend>
      <RecordForm
        collection={root}
        value={sample ?? {}}
        trail={[root.id]}
        onChange={(next) => onChange(next, "sample")}
      />
    </fieldset>
  );
}

interface SampleActionsProps {
  onMake: (sample: Json) => void;
  onClose: () => void;
}

/** Fills the sample from the fields and detects fields from the sample. */
function SampleActions({ onMake, onClose }: SampleActionsProps) {
  const editor = useEditor();
  const [message, setMessage] = useState("");
  const { schema, sample } = editor.definition.value;
  return (
    <div class="dialog-end">
      <span class="data-hint sample-said" role="status">
        {message}
      </span>
      {editor.mayEdit && (
        <>
          <Button onPress={() => onMake(fillSample(schema, sample))}>
            {t("fields.fillEmptyFields")}
          </Button>
          <Button onPress={() => setMessage(detectFields(editor))}>
            {t("fields.detectFields")}
          </Button>
        </>
      )}
      <Button kind="primary" onPress={onClose}>
        {t("common.done")}
      </Button>
    </div>
  );
}

/** @returns the result in words */
function detectFields(editor: Editor): string {
  const { schema, sample } = editor.definition.peek();
  const found = inferSchema(schema, sample);
  const more = fieldCount(found) - fieldCount(schema);
  if (more === 0) return t("fields.noNewFieldsFound");
  setSchema(editor, t("fields.readFieldsFromSample"), found);
  return t("fields.added", { count: more });
}

function fieldCount(schema: readonly DataCollection[]): number {
  return schema.reduce((sum, { fields }) => sum + fields.length, 0);
}

/** A record's declared fields; other properties stay as they are. */
function RecordForm(props: RecordFormProps) {
  const { collection, value, onChange } = props;
  const record = toRecord(value);
  if (collection.fields.length === 0)
    return <p class="data-hint">{t("fields.pasteRecordHelp")}</p>;
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

/** The value of a field: a scalar, a linked record or a list of records. */
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
        <span aria-hidden="true">{getFieldLabel(field)}</span>
        <SampleValue
          field={field}
          label={getFieldLabel(field)}
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
      <legend>{getFieldLabel(field)}</legend>
      {field.type === "OneToOneLink" ? (
        <RecordForm {...inner} value={value} onChange={onChange} />
      ) : (
        <EntryList
          {...inner}
          label={getFieldLabel(field)}
          entries={Array.isArray(value) ? value : []}
          onChange={onChange}
        />
      )}
    </fieldset>
  );
}

/** The entries of a list: a table if they only have scalar fields, else a form for each. */
function EntryList(props: EntryListProps) {
  const { collection, label, entries, trail, onChange } = props;
  const editor = useEditor();
  const isFlat = collection.fields.every((one) => !("target" in one));
  const { schema } = editor.definition.value;
  const add = () => {
    const entry = createEntry(schema, collection, entries.length + 1);
    onChange([...entries, entry]);
  };
  return (
    <>
      {isFlat && entries.length > 0 && <EntryTable {...props} />}
      {!isFlat &&
        entries.map((entry, index) => (
          <div class="sample-entry" key={index}>
            <span class="sample-entry-head">
              {label} {index + 1}
              <RemoveEntry {...props} index={index} />
            </span>
            <RecordForm
              collection={collection}
              value={entry}
              trail={trail}
              onChange={(next) => onChange(entries.with(index, next))}
            />
          </div>
        ))}
      {editor.mayEdit && (
        <AddButton
          words={t("fields.addEntry")}
          label={t("fields.addEntryToLabel", { label })}
          onPress={add}
        />
      )}
    </>
  );
}

/** Entries with scalar fields, one per row. */
function EntryTable(props: EntryListProps) {
  const { collection, label, entries, onChange } = props;
  return (
    <div class="sample-table" role="group" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {collection.fields.map((field) => (
              <th scope="col" key={field.name}>
                {getFieldLabel(field)}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {entries.map((entry, index) => {
            const record = toRecord(entry);
            return (
              <tr key={index}>
                {collection.fields.map((field) => (
                  <td key={field.name}>
                    <SampleValue
                      field={field}
                      label={t("fields.labelRowNumber", {
                        label: getFieldLabel(field),
                        number: index + 1,
                      })}
                      value={record[field.name] ?? null}
                      onChange={(value) =>
                        onChange(
                          entries.with(index, {
                            ...record,
                            [field.name]: value,
                          }),
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

/** Removes an entry from a list. */
function RemoveEntry({
  label,
  entries,
  index,
  onChange,
}: EntryListProps & { index: number }) {
  if (!useEditor().mayEdit) return null;
  return (
    <IconButton
      icon="close"
      label={t("fields.removeLabelNumber", { label, number: index + 1 })}
      onPress={() => onChange(entries.toSpliced(index, 1))}
    />
  );
}

interface SampleValueProps {
  field: Field;
  value: Json;
  label: string;
  onChange: (value: Json) => void;
}

/** The sample value of a field. */
function SampleValue({ field, value, label, onChange }: SampleValueProps) {
  const isBoolean = typeof value === "boolean";
  return (
    <ValueInput
      label={label}
      kind={kindOf(field)}
      value={value}
      examples={isBoolean ? ["true", "false"] : []}
      // A boolean stays one as long as it is written as one.
      onChange={(next) =>
        onChange(
          isBoolean && (next === "true" || next === "false")
            ? next === "true"
            : next,
        )
      }
    />
  );
}

function kindOf({ type }: Field): ValueKind {
  if (type === "Number") return "number";
  return type === "Date" ? "date" : "text";
}

interface RecordFormProps {
  collection: DataCollection;
  value: Json;
  /** The ids of the collections above it, so that circular links end. */
  trail: readonly string[];
  onChange: (value: Json) => void;
}

interface EntryListProps {
  collection: DataCollection;
  label: string;
  entries: readonly Json[];
  trail: readonly string[];
  onChange: (entries: Json[]) => void;
}

/** The sample as JSON; applied whenever it is valid. */
function SampleJson({ onChange }: SampleProps) {
  const id = useId();
  const editor = useEditor();
  const [typed, setTyped] = useState(() =>
    JSON.stringify(editor.definition.peek().sample ?? {}, null, 2),
  );
  const fault = findError(typed);
  return (
    <div class="field">
      <label for={id}>{t("common.record")}</label>
      <textarea
        id={id}
        class="input sample-source"
        spellcheck={false}
        readOnly={!editor.mayEdit}
        aria-invalid={fault !== null}
        aria-describedby={`${id}-fault`}
        value={typed}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value);
          const record = parseRecord(value);
          if (record) onChange(record, "sample-source");
        }}
        onBlur={() => editor.endThread()}
      />
      <span class="fault" id={`${id}-fault`} role="status">
        {fault}
      </span>
    </div>
  );
}

function findError(text: string): string | null {
  const error = findSyntaxError(text);
  if (error) return t("fields.invalidJson", { fault: error.fault });
  return parseRecord(text) ? null : t("fields.notARecord");
}

/** Null for anything but a JSON object. */
function parseRecord(text: string): JsonRecord | null {
  if (findSyntaxError(text)) return null;
  const value = parseLosslessJson(text);
  // A parsed object has JSON properties.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return isObject(value) ? (value as JsonRecord) : null;
}

interface RecentPayloadsProps {
  session: DraftSession;
  onChoose: (data: Json) => void;
}

const maxPreviewLength = 160;

/** The data of this template's recent documents. */
function RecentPayloads({ session, onChoose }: RecentPayloadsProps) {
  const { templateId } = session.view.value;
  const payloads = useResource(templateId, () =>
    ask<{ payloads: RecentPayload[] }>(`drafts/${templateId}/payloads`),
  );
  const { data, fault } = payloads;
  if (!data || fault !== null)
    return (
      <LoadStatus
        resource={payloads}
        what={t("fields.couldntLoadRecentData")}
        count={3}
      />
    );
  if (data.payloads.length === 0)
    return <p class="data-hint">{t("fields.noRecentData")}</p>;
  return (
    <ul class="sample-recent">
      {data.payloads.map((one) => (
        <li key={one.at}>
          <span>
            <strong>{momentOf(one.at)}</strong>
            <small>{JSON.stringify(one.data).slice(0, maxPreviewLength)}</small>
          </span>
          {/* What was sent to be merged was JSON. */}
          {/* oxlint-disable-next-line typescript/no-unsafe-type-assertion */}
          <Button onPress={() => onChoose(one.data as Json)}>
            {t("fields.useThisRecord")}
          </Button>
        </li>
      ))}
    </ul>
  );
}
