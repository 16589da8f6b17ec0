import type { ComponentType } from "preact";
import { useState, useId } from "preact/hooks";
import type { RecentPayload } from "../../../../../../core/plugin-api/app-drafts.js";
import type {
  Json,
  DataCollection,
  Field,
} from "../../../../../../core/plugin-api/definition.js";
import { ask } from "../../api.js";
import { useResource } from "../../resource.js";
import { Bones } from "../../ui/bones.js";
import { Button } from "../../ui/button.js";
import { Choices } from "../../ui/choices.js";
import { Dialog } from "../../ui/dialog.js";
import { Icon } from "../../ui/icon.js";
import { Fault } from "../../ui/notice.js";
import { useEditor, type Editor } from "../model/editor.js";
import type { ValueKind } from "../rules/logic.js";
import { ValueInput } from "../rules/value-input.js";
import type { DraftSession } from "../session/draft-session.js";
import { sampleOfFields, newEntry } from "./make-sample.js";
import { rootOf, setSchema, fieldLabel } from "./schema-edits.js";
import { schemaOfSample } from "./schema-import.js";

type View = "form" | "json" | "recent";

const views = [
  ["form", "Fields"],
  ["json", "As JSON"],
  ["recent", "Recent data"],
] as const;

interface SampleDialogProps {
  session: DraftSession;
  onClose: () => void;
}

/** The record that page and preview show. */
export function SampleDialog({ session, onClose }: SampleDialogProps) {
  const editor = useEditor();
  const [view, setView] = useState<View>("form");
  const set = (next: Json, thread: string | null = null) =>
    editor.change(
      "Change the sample",
      (draft) => {
        draft.sample = next;
      },
      thread,
    );
  const take = (next: Json) => {
    set(next);
    setView("form");
  };
  return (
    <Dialog title="Sample data" onClose={onClose}>
      <div class="sample">
        <p class="data-hint">
          One record to design with: the page and the preview show it. Real
          documents are made with your own data.
        </p>
        <Choices
          legend="How to look at it"
          options={views}
          value={view}
          onChoose={setView}
        />
        <div class="sample-body">
          {view === "form" && <SampleForm onChange={set} />}
          {view === "json" && <SampleSource onChange={set} />}
          {view === "recent" && (
            <RecentPayloads session={session} onChoose={take} />
          )}
        </div>
      </div>
      <SampleEnds onClose={onClose} onMake={take} />
    </Dialog>
  );
}

interface SampleFormProps {
  onChange: (sample: Json, thread: string) => void;
}

function SampleForm({ onChange }: SampleFormProps) {
  const { definition, mayEdit } = useEditor();
  const { schema, sample } = definition.value;
  const root = rootOf(schema);
  return (
    <fieldset class="sample-all" disabled={!mayEdit}>
      <legend class="hidden-text">Its fields</legend>
      <RecordForm
        collection={root}
        value={sample ?? {}}
        trail={[root.id]}
        onChange={(next) => onChange(next, "sample")}
      />
    </fieldset>
  );
}

interface SampleEndsProps {
  onMake: (sample: Json) => void;
  onClose: () => void;
}

/** From fields to a sample, and from a sample to fields. */
function SampleEnds({ onMake, onClose }: SampleEndsProps) {
  const editor = useEditor();
  const [said, setSaid] = useState("");
  const { schema, sample } = editor.definition.value;
  return (
    <div class="dialog-end">
      <span class="data-hint sample-said" role="status">
        {said}
      </span>
      {editor.mayEdit && (
        <>
          <Button onPress={() => onMake(sampleOfFields(schema, sample))}>
            Fill empty fields
          </Button>
          <Button onPress={() => setSaid(readFields(editor))}>
            Read the fields from it
          </Button>
        </>
      )}
      <Button kind="primary" onPress={onClose}>
        Done
      </Button>
    </div>
  );
}

/** @returns what came of it, in words */
function readFields(editor: Editor): string {
  const { schema, sample } = editor.definition.peek();
  const found = schemaOfSample(schema, sample);
  const more = fieldCount(found) - fieldCount(schema);
  if (more === 0) return "All that is in the sample is known already.";
  setSchema(editor, "Read fields from the sample", found);
  return more === 1 ? "1 field was added." : `${more} fields were added.`;
}

function fieldCount(schema: readonly DataCollection[]): number {
  return schema.reduce((sum, { fields }) => sum + fields.length, 0);
}

/** A record by its declared fields; what it has beside them stays. */
function RecordForm(props: RecordFormProps) {
  const { collection, value, onChange } = props;
  const record = recordOf(value);
  if (collection.fields.length === 0)
    return (
      <p class="data-hint">
        No fields are known. Paste a record as JSON, then let its fields be
        read.
      </p>
    );
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

/** A value, a linked record, or a list of records. */
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
        <span aria-hidden="true">{fieldLabel(field)}</span>
        <SampleValue
          field={field}
          label={fieldLabel(field)}
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
      <legend>{fieldLabel(field)}</legend>
      {field.type === "OneToOneLink" ? (
        <RecordForm {...inner} value={value} onChange={onChange} />
      ) : (
        <EntryList
          {...inner}
          Form={RecordForm}
          label={fieldLabel(field)}
          entries={Array.isArray(value) ? value : []}
          onChange={onChange}
        />
      )}
    </fieldset>
  );
}

/** The entries of a list: a table where they are values alone, else one form each. */
function EntryList({
  Form,
  ...props
}: EntryListProps & { Form: ComponentType<RecordFormProps> }) {
  const { collection, label, entries, trail, onChange } = props;
  const editor = useEditor();
  const isFlat = collection.fields.every((one) => !("target" in one));
  const change = (index: number) => (next: Json) =>
    onChange(entries.map((one, at) => (at === index ? next : one)));
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
            <Form
              collection={collection}
              value={entry}
              trail={trail}
              onChange={change(index)}
            />
          </div>
        ))}
      {editor.mayEdit && <AddEntry {...props} />}
    </>
  );
}

function AddEntry({ collection, label, entries, onChange }: EntryListProps) {
  const { schema } = useEditor().definition.value;
  const add = () => {
    const entry = newEntry(schema, collection, entries.length + 1);
    onChange([...entries, entry]);
  };
  return (
    <Button kind="quiet" label={`Add an entry to ${label}`} onPress={add}>
      <Icon name="plus" size={14} />
      Add an entry
    </Button>
  );
}

/** Entries of values alone, a row each. */
function EntryTable(props: EntryListProps) {
  const { collection, label, entries } = props;
  return (
    <div class="sample-table" role="group" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {collection.fields.map((field) => (
              <th scope="col" key={field.name}>
                {fieldLabel(field)}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {entries.map((_entry, index) => (
            <EntryRow {...props} index={index} key={index} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function EntryRow(props: EntryListProps & { index: number }) {
  const { collection, entries, index, onChange } = props;
  const record = recordOf(entries[index] ?? null);
  const set = (name: string, value: Json) => {
    const changed = { ...record, [name]: value };
    onChange(entries.map((one, at) => (at === index ? changed : one)));
  };
  return (
    <tr>
      {collection.fields.map((field) => (
        <td key={field.name}>
          <SampleValue
            field={field}
            label={`${fieldLabel(field)}, row ${index + 1}`}
            value={record[field.name] ?? null}
            onChange={(value) => set(field.name, value)}
          />
        </td>
      ))}
      <td>
        <RemoveEntry {...props} />
      </td>
    </tr>
  );
}

/** Takes one entry out of a list. */
function RemoveEntry({
  label,
  entries,
  index,
  onChange,
}: EntryListProps & { index: number }) {
  if (!useEditor().mayEdit) return null;
  return (
    <Button
      kind="quiet"
      isIcon
      label={`Take ${label} ${index + 1} away`}
      onPress={() => onChange(entries.filter((_one, at) => at !== index))}
    >
      <Icon name="close" size={14} />
    </Button>
  );
}

interface SampleValueProps {
  field: Field;
  value: Json;
  label: string;
  onChange: (value: Json) => void;
}

/** What a sample has in one field. */
function SampleValue({ field, value, label, onChange }: SampleValueProps) {
  const isTruth = typeof value === "boolean";
  return (
    <ValueInput
      label={label}
      kind={kindOf(field)}
      value={value}
      examples={isTruth ? ["true", "false"] : []}
      // What was a yes or no stays one, as long as it is written as one.
      onChange={(next) =>
        onChange(isTruth && isTruthWord(next) ? next === "true" : next)
      }
    />
  );
}

function isTruthWord(value: Json): boolean {
  return value === "true" || value === "false";
}

function kindOf({ type }: Field): ValueKind {
  if (type === "Number") return "number";
  return type === "Date" ? "date" : "text";
}

interface RecordFormProps {
  collection: DataCollection;
  value: Json;
  /** The collections around it, so that a circle of links ends. */
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

/** The fields of a value; none of what is no record. */
function recordOf(value: Json): { [key: string]: Json } {
  const isRecord =
    typeof value === "object" && value !== null && !Array.isArray(value);
  return isRecord ? value : {};
}

interface SampleSourceProps {
  onChange: (sample: Json, thread: string) => void;
}

/** The sample as programs write it; it is taken over whenever it is sound. */
function SampleSource({ onChange }: SampleSourceProps) {
  const id = useId();
  const editor = useEditor();
  const [typed, setTyped] = useState(() =>
    JSON.stringify(editor.definition.peek().sample ?? {}, null, 2),
  );
  const fault = faultOf(typed);
  return (
    <div class="field">
      <label for={id}>The record</label>
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
          const record = recordIn(value);
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

/** Null for what is no record. */
function recordIn(text: string): { [key: string]: Json } | null {
  try {
    const value: unknown = JSON.parse(text);
    const isRecord =
      typeof value === "object" && value !== null && !Array.isArray(value);
    // Whatever was parsed is JSON.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return isRecord ? (value as { [key: string]: Json }) : null;
  } catch {
    return null;
  }
}

function faultOf(text: string): string | null {
  try {
    JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `Not taken over yet: ${why}`;
  }
  return recordIn(text)
    ? null
    : "Not taken over yet: a record begins with { and ends with }.";
}

interface RecentPayloadsProps {
  session: DraftSession;
  onChoose: (data: Json) => void;
}

const shortest = 160;

/** The data of the last documents of this template. */
function RecentPayloads({ session, onChoose }: RecentPayloadsProps) {
  const { templateId } = session.view.value;
  const { data, fault, reload } = useResource(templateId, () =>
    ask<{ payloads: RecentPayload[] }>(`drafts/${templateId}/payloads`),
  );
  if (fault !== null)
    return (
      <Fault
        what="The last data could not be read"
        why={fault}
        onRetry={reload}
      />
    );
  if (!data) return <Bones count={3} />;
  if (data.payloads.length === 0)
    return (
      <p class="data-hint">
        No data yet. Once a document was made of this template, its data can be
        taken from here.
      </p>
    );
  return (
    <ul class="sample-recent">
      {data.payloads.map((one) => (
        <li key={one.at}>
          <span>
            <strong>{new Date(one.at).toLocaleString()}</strong>
            <small>{JSON.stringify(one.data).slice(0, shortest)}</small>
          </span>
          {/* What was sent to be merged was JSON. */}
          {/* oxlint-disable-next-line typescript/no-unsafe-type-assertion */}
          <Button onPress={() => onChoose(one.data as Json)}>Use it</Button>
        </li>
      ))}
    </ul>
  );
}
