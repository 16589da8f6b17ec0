import { useEffect, useRef, useState } from "preact/hooks";
import type { RecentPayload } from "../../../../core/documents/views.js";
import type { SampleProblem } from "../../../../core/definition/views.js";
import type {
  Json,
  DataCollection,
  Field,
} from "../../../../core/plugin-api/definition.js";
import { parseLosslessJson } from "../../../../core/plugin-api/lossless-json.js";
import { ask } from "../../api.js";
import { useResource } from "../../resource.js";
import { LoadStatus } from "../../ui/loading.js";
import { Button } from "../../ui/button.js";
import { Choices, selectText } from "../../ui/form.js";
import { ActionMenu, type MenuAction } from "../../ui/action-menu.js";
import { Dialog, NameDialog } from "../../ui/dialog.js";
import { Icon } from "../../ui/icon.js";
import { AddButton, IconButton } from "../../ui/icon-button.js";
import { Notice } from "../../ui/notice.js";
import { Select } from "../../ui/select.js";
import { useEditor } from "../model/editor-context.js";
import type { Editor } from "../model/editor.js";
import { findSyntaxError } from "../json/read-json.js";
import type { ValueKind } from "../rules/logic.js";
import { ValueInput } from "../rules/value-input.js";
import type { DraftSession } from "../session/draft-session.js";
import {
  describePlace,
  splitSampleProblems,
  summarizeProblems,
} from "../model/sample-problems.js";
import { isObject } from "../model/same-json.js";
import {
  createEntry,
  fillSample,
  isDerivedName,
  type JsonRecord,
  listSamples,
  putSample,
  removeSample,
  toRecord,
} from "./make-sample.js";
import { SampleRows } from "./sample-rows.js";
import { inferSchema } from "./infer-schema.js";
import {
  getRoot,
  setSchema,
  getFieldKind,
  getFieldLabel,
  listDataFields,
} from "./schema-edits.js";
import { momentOf } from "../../format.js";
import { t } from "../../messages/index.js";

type View = "form" | "rows" | "json" | "recent";

const views = [
  ["form", t("common.fields")],
  ["rows", t("fields.pasteRows")],
  ["json", t("fields.asJson")],
  ["recent", t("fields.recentData")],
] as const;

interface SampleDialogProps {
  session: DraftSession;
  onClose: () => void;
}

/** The record that the page and the preview show. It closes only when nothing that was typed would be lost. */
export function SampleDialog({ session, onClose }: SampleDialogProps) {
  const editor = useEditor();
  const [rows, setRows] = usePastedText(session.templateId);
  const leadsToValue = (editor.samplePlace.peek()?.length ?? 0) > 0;
  const [view, setView] = useState<View>(
    rows === "" || leadsToValue ? "form" : "rows",
  );
  const [message, setMessage] = useState("");
  const body = useRef<HTMLDivElement>(null);
  /** What the JSON view contains; null while it is closed. */
  const [json, setJson] = useState<string | null>(null);
  /** What waits until the person corrects or discards the text that cannot be applied. */
  const [blocked, setBlocked] = useState<{ go: () => void } | null>(null);
  const isInvalid = json !== null && findError(json) !== null;

  const replace = (next: Json, schema: readonly DataCollection[]) => {
    const before = editor.definition.peek();
    const name = editor.sampleName.peek();
    editor.replace(
      t("fields.changeSample"),
      putSample({ ...before, schema: [...schema] }, name, next),
    );
    const count = fieldCount(schema) - fieldCount(before.schema);
    setMessage(count > 0 ? t("fields.added", { count }) : "");
    setView("form");
  };
  const set = (next: Json, thread: string) =>
    editor.replace(
      t("fields.changeSample"),
      putSample(editor.definition.peek(), editor.sampleName.peek(), next),
      thread,
    );
  const detect = (thread: string | null = null) => {
    const count = detectFields(editor, thread);
    if (count > 0) setMessage(t("fields.added", { count }));
  };
  const turn = (next: View) => {
    setBlocked(null);
    setMessage("");
    setView(next);
    const { sample = {} } = editor.sampled.peek();
    setJson(next === "json" ? writeSample(sample) : null);
  };
  const leave = (go: () => void) => {
    if (isInvalid) {
      setBlocked({ go });
      return;
    }
    if (view === "json") detect();
    go();
  };
  const close = () => {
    if (rows.trim() === "") {
      leave(onClose);
      return;
    }
    setView("rows");
    setBlocked({
      go: () => {
        setRows("");
        onClose();
      },
    });
  };
  return (
    <Dialog title={t("fields.sampleData")} onClose={close}>
      <div class="sample">
        <p class="data-hint">{t("fields.sampleHelp")}</p>
        <SampleBar
          onLeave={(go) =>
            leave(() => {
              go();
              turn(view);
            })
          }
        />
        <Choices
          legend={t("fields.view")}
          options={views}
          value={view}
          onChoose={(next) => leave(() => turn(next))}
        />
        <div class="sample-body" ref={body} tabIndex={-1}>
          {view === "form" && <SampleForm onChange={set} onTurn={turn} />}
          {view === "rows" && (
            <SampleRows
              text={rows}
              onType={setRows}
              onImport={({ sample, schema }) => {
                replace(sample, schema);
                setRows("");
                setBlocked(null);
                // The button that was pressed goes with its view.
                body.current?.focus();
              }}
            />
          )}
          {view === "json" && json !== null && (
            <SampleJson
              text={json}
              onType={setJson}
              onChange={set}
              onWhole={() => detect("sample-source")}
              onRows={() => {
                setRows(json);
                turn("rows");
              }}
            />
          )}
          {view === "recent" && (
            <RecentPayloads
              session={session}
              onChoose={(data) =>
                replace(
                  data,
                  inferSchema(editor.definition.peek().schema, data),
                )
              }
            />
          )}
        </div>
        {blocked && (isInvalid || view === "rows") && (
          <Notice
            tone="bad"
            title={
              isInvalid ? t("fields.jsonNotApplied") : t("fields.rowsNotUsed")
            }
          >
            <p>
              {isInvalid
                ? t("fields.jsonNotAppliedHelp")
                : t("fields.rowsNotUsedHelp")}
            </p>
            <div class="row">
              {isInvalid && (
                <Button onPress={() => showError(json)}>
                  {t("json.showWhere")}
                </Button>
              )}
              <Button kind="quiet" onPress={blocked.go}>
                {t("json.discardMyChanges")}
              </Button>
            </div>
          </Notice>
        )}
      </div>
      <SampleActions
        view={view}
        message={message}
        onMake={replace}
        onDetect={detect}
        onClose={close}
      />
    </Dialog>
  );
}

/** Rows that are not used yet. This tab stores them, because the browser's Back and Reload do not ask. */
function usePastedText(templateId: string) {
  const key = `platen-rows:${templateId}`;
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? "");
  const change = (next: string) => {
    setText(next);
    sessionStorage.removeItem(key);
    try {
      if (next !== "") sessionStorage.setItem(key, next);
    } catch {
      // The text is longer than what the browser stores.
    }
  };
  return [text, change] as const;
}

const derivedHints = {
  short: t("fields.shortSampleHelp"),
  long: t("fields.longSampleHelp"),
  extreme: t("fields.extremeSampleHelp"),
} as const;

interface SampleBarProps {
  /** Runs the function unless that would lose what was typed. */
  onLeave: (go: () => void) => void;
}

function SampleBar({ onLeave }: SampleBarProps) {
  const editor = useEditor();
  const [naming, setNaming] = useState<"copy" | "rename" | null>(null);
  const definition = editor.definition.value;
  const name = editor.sampleName.value;
  const all = listSamples(definition);
  const isStored = name !== null && definition.samples?.[name] !== undefined;
  const isDerived = isDerivedName(name);
  const show = (next: string | null) => {
    editor.sampleName.value = next;
  };
  const remove = () => {
    if (name === null) return;
    editor.replace(t("fields.changeSample"), removeSample(definition, name));
    if (!isDerived) show(null);
  };
  const store = async (next: string) => {
    await Promise.resolve();
    if (next !== name && all.some(([sampleName]) => sampleName === next))
      throw new Error(t("fields.sampleNameTaken"));
    const { sample = {} } = editor.sampled.peek();
    const base =
      naming === "rename" && name !== null
        ? removeSample(definition, name)
        : definition;
    editor.replace(t("fields.changeSample"), putSample(base, next, sample));
    show(next);
  };
  const copy: MenuAction = {
    words: t("fields.copySample"),
    icon: "copy",
    onPress: () => onLeave(() => setNaming("copy")),
  };
  const rename: MenuAction = {
    words: t("common.rename"),
    icon: "edit",
    onPress: () => onLeave(() => setNaming("rename")),
  };
  const discard: MenuAction = isDerived
    ? {
        words: t("fields.deriveSampleAgain"),
        icon: "restore",
        onPress: remove,
      }
    : {
        words: t("common.delete"),
        icon: "trash",
        isGrave: true,
        onPress: remove,
      };
  const sampleActions = isStored
    ? isDerived
      ? [discard]
      : [rename, discard]
    : [];
  return (
    <div class="sample-bar">
      <Select
        label={t("fields.shownSample")}
        isLarge
        value={name ?? ""}
        options={all}
        none={t("fields.mainSample")}
        onChange={(next) => onLeave(() => show(next ?? null))}
      />
      {editor.mayEdit && (
        <ActionMenu
          label={t("fields.actionsForSample")}
          isQuiet
          actions={[copy, ...sampleActions]}
        />
      )}
      {isDerived && !isStored && (
        <span class="data-hint">{derivedHints[name]}</span>
      )}
      {naming && (
        <NameDialog
          title={
            naming === "copy" ? t("fields.copySample") : t("common.rename")
          }
          label={t("common.name")}
          name={naming === "copy" ? "" : (name ?? "")}
          act={naming === "copy" ? t("common.add") : t("common.rename")}
          onName={store}
          onClose={() => setNaming(null)}
        />
      )}
    </div>
  );
}

const sourceId = "sample-source";

/** Selects the character where the JSON stops being valid. */
function showError(text: string): void {
  const field = document.getElementById(sourceId);
  const from = findSyntaxError(text)?.at ?? 0;
  if (field instanceof HTMLTextAreaElement)
    selectText(field, { from, to: from + 1 });
}

interface SampleProps {
  onChange: (sample: Json, thread: string) => void;
  /** Shows another view. */
  onTurn: (view: View) => void;
}

function SampleForm({ onChange, onTurn }: SampleProps) {
  const { sampled, mayEdit, samplePlace } = useEditor();
  const { schema, sample } = sampled.value;
  const root = getRoot(schema);
  const place = samplePlace.value;
  useEffect(() => {
    if (place && place.length > 0) focusValue(place);
  }, [place]);
  return (
    <fieldset class="sample-all" disabled={!mayEdit}>
      <legend class="hidden-text">{t("fields.itsFields")}</legend>
      <ProblemLinks />
      <RecordForm
        collection={root}
        value={sample ?? {}}
        keys={[]}
        trail={[root.id]}
        onChange={(next) => onChange(next, "sample")}
      />
      {root.fields.length === 0 && (
        <div class="row">
          <Button onPress={() => onTurn("rows")}>
            {t("fields.pasteRows")}
          </Button>
          <Button onPress={() => onTurn("json")}>
            {t("fields.pasteJson")}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

const maxShownProblems = 8;

/** How many values are missing or wrong; each leads to its input. */
function ProblemLinks() {
  const { facts } = useEditor();
  const { problems, empty } = splitSampleProblems(facts.value);
  return (
    <>
      {problems.length > 0 && (
        <div class="sample-faults" role="status">
          <Icon name="warn" size={16} />
          <span>{summarizeProblems(problems)}</span>
          <PlaceLinks problems={problems} />
        </div>
      )}
      {empty.length > 0 && (
        <div class="sample-faults quiet">
          <span>{t("canvas.emptyInSample", { count: empty.length })}</span>
          <PlaceLinks problems={empty} />
        </div>
      )}
    </>
  );
}

function PlaceLinks({ problems }: { problems: readonly SampleProblem[] }) {
  const { schema } = useEditor().definition.value;
  const more = problems.length - maxShownProblems;
  return (
    <>
      {problems.slice(0, maxShownProblems).map((problem) => (
        <button
          type="button"
          title={problem.message}
          onClick={() => focusValue(problem.keys)}
          key={toPlace(problem.keys)}
        >
          {describePlace(schema, problem)}
        </button>
      ))}
      {more > 0 && <span>{t("fields.andInMoreMore", { more })}</span>}
    </>
  );
}

type Keys = readonly (string | number)[];

const toPlace = (keys: Keys) => JSON.stringify(keys);

function focusValue(keys: Keys): void {
  const places = document.querySelectorAll<HTMLElement>("[data-place]");
  const place = [...places].find(
    ({ dataset }) => dataset["place"] === toPlace(keys),
  );
  place?.querySelector<HTMLElement>("input, select, button")?.focus();
}

interface SampleActionsProps {
  view: View;
  message: string;
  onMake: (sample: Json, schema: readonly DataCollection[]) => void;
  onDetect: () => void;
  onClose: () => void;
}

/** Fills the sample from the fields, and adds fields that only the sample has. */
function SampleActions(props: SampleActionsProps) {
  const { view, message, onMake, onDetect, onClose } = props;
  const { sampled, mayEdit } = useEditor();
  const { schema, sample } = sampled.value;
  const isForm = mayEdit && view === "form" && fieldCount(schema) > 0;
  const canDetect =
    isForm && fieldCount(inferSchema(schema, sample)) > fieldCount(schema);
  return (
    <div class="dialog-end">
      <span class="data-hint sample-said" role="status">
        {message}
      </span>
      {isForm && (
        <Button onPress={() => onMake(fillSample(schema, sample), schema)}>
          {t("fields.fillEmptyFields")}
        </Button>
      )}
      {canDetect && (
        <Button onPress={onDetect}>{t("fields.detectFields")}</Button>
      )}
      <Button kind="primary" onPress={onClose}>
        {t("common.done")}
      </Button>
    </div>
  );
}

/** Adds fields for everything that the sample contains. @returns how many */
function detectFields(editor: Editor, thread: string | null): number {
  const { schema, sample } = editor.sampled.peek();
  const inferred = inferSchema(schema, sample);
  const count = fieldCount(inferred) - fieldCount(schema);
  if (count > 0)
    setSchema(editor, t("fields.readFieldsFromSample"), inferred, thread);
  return count;
}

function fieldCount(schema: readonly DataCollection[]): number {
  return schema.reduce((sum, { fields }) => sum + fields.length, 0);
}

/** A record's declared fields; other properties stay as they are. */
function RecordForm(props: RecordFormProps) {
  const { collection, value, onChange } = props;
  const record = toRecord(value);
  if (listDataFields(collection).length === 0)
    return <p class="data-hint">{t("fields.pasteRecordHelp")}</p>;
  return (
    <div class="sample-record">
      {listDataFields(collection).map((field) => (
        <FieldValue
          {...props}
          field={field}
          keys={[...props.keys, field.name]}
          value={record[field.name] ?? null}
          onChange={(next) => onChange({ ...record, [field.name]: next })}
          key={field.name}
        />
      ))}
    </div>
  );
}

function FieldValue({
  field,
  value,
  keys,
  trail,
  onChange,
}: RecordFormProps & { field: Field }) {
  const { schema } = useEditor().definition.value;
  if (!("target" in field))
    return (
      <div class="sample-field" data-place={toPlace(keys)}>
        <span aria-hidden="true">{getFieldLabel(field)}</span>
        <SampleValue
          field={field}
          keys={keys}
          label={getFieldLabel(field)}
          value={value}
          onChange={onChange}
        />
      </div>
    );
  const target = schema.find(({ id }) => id === field.target);
  if (!target || trail.includes(target.id)) return null;
  const inner = { collection: target, keys, trail: [...trail, target.id] };
  return (
    <fieldset class="prop-box" data-place={toPlace(keys)}>
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
  const { collection, label, entries, keys, trail, onChange } = props;
  const editor = useEditor();
  const isFlat = collection.fields.every((field) => !("target" in field));
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
              keys={[...keys, index]}
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

function EntryTable(props: EntryListProps) {
  const { collection, label, entries, keys, onChange } = props;
  return (
    <div class="sample-table" role="group" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {listDataFields(collection).map((field) => (
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
                {listDataFields(collection).map((field) => (
                  <td
                    data-place={toPlace([...keys, index, field.name])}
                    key={field.name}
                  >
                    <SampleValue
                      field={field}
                      keys={[...keys, index, field.name]}
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
  keys: Keys;
  value: Json;
  label: string;
  onChange: (value: Json) => void;
}

function SampleValue(props: SampleValueProps) {
  const { field, keys, value, label, onChange } = props;
  const place = toPlace(keys);
  const { problems } = splitSampleProblems(useEditor().facts.value);
  const problem = problems.find(
    (candidate) => toPlace(candidate.keys) === place,
  );
  const isBoolean = typeof value === "boolean";
  if (isBoolean || (value === null && getFieldKind(field) === "Boolean"))
    return (
      <Select
        label={label}
        value={isBoolean ? String(value) : ""}
        options={[
          ["true", t("common.yes")],
          ["false", t("common.no")],
        ]}
        none={t("common.none")}
        onChange={(next) =>
          onChange(next === undefined ? null : next === "true")
        }
      />
    );
  return (
    <ValueInput
      label={label}
      kind={kindOf(field)}
      value={value}
      fault={problem?.message}
      examples={[]}
      onChange={onChange}
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
  /** Its place in the sample. */
  keys: Keys;
  /** The ids of the collections above it, so that circular links end. */
  trail: readonly string[];
  onChange: (value: Json) => void;
}

interface EntryListProps {
  collection: DataCollection;
  label: string;
  entries: readonly Json[];
  keys: Keys;
  trail: readonly string[];
  onChange: (entries: Json[]) => void;
}

interface SampleJsonProps {
  text: string;
  onType: (text: string) => void;
  onChange: (sample: Json, thread: string) => void;
  /** The text is complete: it was pasted, or the person has left it. */
  onWhole: () => void;
  /** The text is not a record but rows of a table. */
  onRows: () => void;
}

/** The sample as JSON; applied whenever it is valid. */
function SampleJson(props: SampleJsonProps) {
  const { text, onType, onChange, onWhole, onRows } = props;
  const editor = useEditor();
  const fault = findError(text);
  const type = (next: string, isPasted: boolean) => {
    onType(next);
    const record = parseRecord(next);
    if (!record) return;
    onChange(record, "sample-source");
    // A name that is typed letter by letter is not a field yet.
    if (isPasted || Math.abs(next.length - text.length) > 1) onWhole();
  };
  return (
    <div class="field">
      <label for={sourceId}>{t("common.record")}</label>
      <textarea
        id={sourceId}
        class="input sample-source"
        spellcheck={false}
        readOnly={!editor.mayEdit}
        placeholder={t("fields.recordPlaceholder")}
        aria-invalid={fault !== null}
        aria-describedby={`${sourceId}-fault`}
        value={text}
        onInput={({ currentTarget: { value }, inputType }) =>
          type(value, inputType?.startsWith("insertFrom") ?? false)
        }
        onBlur={() => {
          if (fault === null) onWhole();
          editor.endThread();
        }}
      />
      <span class="fault" id={`${sourceId}-fault`} role="status">
        {fault}
      </span>
      {fault !== null && isTable(text) && (
        <p class="data-hint sample-is-table">
          {t("fields.looksLikeRows")}
          <Button onPress={onRows}>{t("fields.pasteRows")}</Button>
        </p>
      )}
    </div>
  );
}

/** Whether a text that is no record may be rows of a table: a list as JSON, or lines with a delimiter in the first. */
function isTable(text: string): boolean {
  const start = text.trimStart();
  return start.startsWith("[")
    ? findSyntaxError(text) === null
    : /^[^{\n]*[\t;,|][^\n]*\n\s*\S/.test(start);
}

/** An empty text for an empty sample, so that a record can be pasted into it. */
function writeSample(sample: Json): string {
  const isEmpty = isObject(sample) && Object.keys(sample).length === 0;
  return isEmpty ? "" : JSON.stringify(sample, null, 2);
}

function findError(text: string): string | null {
  if (text.trim() === "") return null;
  const error = findSyntaxError(text);
  if (error) return t("fields.invalidJson", { fault: error.fault });
  return parseRecord(text) ? null : t("fields.notARecord");
}

/** Null for anything but a JSON object; nothing is an empty one. */
function parseRecord(text: string): JsonRecord | null {
  if (text.trim() === "") return {};
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
      {data.payloads.map((payload) => (
        <li key={payload.at}>
          <span>
            <strong>{momentOf(payload.at)}</strong>
            <small>
              {JSON.stringify(payload.data).slice(0, maxPreviewLength)}
            </small>
          </span>
          {/* What was sent to be merged was JSON. */}
          {/* oxlint-disable-next-line typescript/no-unsafe-type-assertion */}
          <Button onPress={() => onChoose(payload.data as Json)}>
            {t("fields.useThisRecord")}
          </Button>
        </li>
      ))}
    </ul>
  );
}
