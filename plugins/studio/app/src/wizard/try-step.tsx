import { useState, useEffect } from "preact/hooks";
import type {
  OpenedTable,
  TableRecord,
} from "../../../../../core/plugin-api/app-wizard.js";
import { askPublic, local } from "../api.js";
import { sizeOf } from "../format.js";
import { useResource, useLive } from "../resource.js";
import { Link } from "../router.js";
import { Button } from "../ui/button.js";
import { useAction, Form } from "../ui/form.js";
import { Icon } from "../ui/icon.js";
import { Bones } from "../ui/loading.js";
import { Fault, Notice } from "../ui/notice.js";
import { SearchField } from "../ui/search-field.js";
import {
  Loaded,
  Misfit,
  StepEnd,
  FocusedHeading,
  OptionButton,
} from "./components.js";
import {
  type Choice,
  addressOf,
  NOWHERE,
  type Step,
  stepWords,
} from "./steps.js";
import { readTable, recordsOrder, findRecords } from "./table.js";

/** A record is chosen, its document made, and its file looked for in the cell. */
export function TryStep({ choice }: { choice: Choice }) {
  const table = useResource(choice.table, () => readTable(choice));
  return (
    <div class="stack wide-gap">
      <Loaded
        resource={table}
        what="The table could not be read"
        mend="table"
        choice={choice}
      >
        {(data) => <Trial table={data} choice={choice} />}
      </Loaded>
      <StepEnd step="try" choice={choice}>
        <Link class="button" to="batches">
          To the batches
        </Link>
      </StepEnd>
    </div>
  );
}

interface TrialProps {
  table: OpenedTable;
  choice: Choice;
}

function Trial({ table, choice }: TrialProps) {
  const [record, setRecord] = useState<TableRecord | null>(null);
  return (
    <>
      <RecordChoice
        table={table}
        choice={choice}
        record={record}
        onChoose={setRecord}
      />
      {record && (
        <OneRecord
          record={record}
          table={table}
          choice={choice}
          key={record.id}
        />
      )}
    </>
  );
}

interface OneRecordProps extends TrialProps {
  record: TableRecord;
}

function OneRecord({ record, table, choice }: OneRecordProps) {
  const [batchId, setBatchId] = useState<string | null>(null);
  const { isBusy, fault, run } = useAction(async () => {
    const at = `export/batch/${table.platform.id}`;
    const order = { ...recordsOrder(choice), recordIds: [record.id] };
    const made = await askPublic<{ batchId: string }>(at, "POST", order);
    setBatchId(made.batchId);
  });
  if (batchId !== null)
    return (
      <TryProgress
        {...{ batchId, record, table, choice }}
        onAgain={() => setBatchId(null)}
      />
    );
  return (
    <div class="stack">
      {fault !== null && (
        <Misfit title="Nothing was made" why={fault} choice={choice} />
      )}
      <div>
        <Button kind="primary" isBusy={isBusy} onPress={run}>
          Make the document of “{record.name}”
        </Button>
      </div>
    </div>
  );
}

interface RecordChoiceProps {
  table: OpenedTable;
  choice: Choice;
  record: TableRecord | null;
  onChoose: (record: TableRecord | null) => void;
}

/** A record by the field by which people know it; by its id where the platform cannot look for records. */
function RecordChoice(props: RecordChoiceProps) {
  const { table, choice, record, onChoose } = props;
  const [search, setSearch] = useState("");
  const text = useSettled(search);
  const { data, fault, isCurrent, reload } = useResource(text, async () => ({
    records: await findRecords(choice, text),
  }));
  const field = table.fields.find(({ id }) => id === table.primaryFieldId);
  if (record) return <Chosen record={record} onBack={() => onChoose(null)} />;
  if (data?.records === null) return <ById onChoose={onChoose} />;
  return (
    <section class="stack close" aria-labelledby="record">
      <h2 id="record">Choose a record of “{table.name}”</h2>
      <SearchField
        words={`Search by ${field?.name ?? "name"}`}
        value={search}
        onSearch={setSearch}
      />
      {fault !== null && (
        <Fault
          what="The records could not be read"
          why={fault}
          onRetry={reload}
        />
      )}
      {!data && fault === null && <Bones count={4} />}
      {data?.records.length === 0 && isCurrent && text === search && (
        <p class="muted small" role="status">
          {text === "" ? "The table has no record yet." : "No record fits."}
        </p>
      )}
      {data && data.records.length > 0 && (
        <Records records={data.records} onChoose={onChoose} />
      )}
    </section>
  );
}

interface RecordsProps {
  records: readonly TableRecord[];
  onChoose: (record: TableRecord) => void;
}

function Records({ records, onChoose }: RecordsProps) {
  return (
    <ul class="card picks" aria-label="Records">
      {records.map((one) => (
        <li key={one.id}>
          <OptionButton title={one.name} onPick={() => onChoose(one)} />
        </li>
      ))}
    </ul>
  );
}

interface ChosenProps {
  record: TableRecord;
  onBack: () => void;
}

function Chosen({ record, onBack }: ChosenProps) {
  return (
    <div class="card chosen-record">
      <span class="words">
        <span class="muted small">Record</span>
        <FocusedHeading id="record">{record.name}</FocusedHeading>
      </span>
      <Button onPress={onBack}>Choose another</Button>
    </div>
  );
}

function ById({ onChoose }: Pick<RecordChoiceProps, "onChoose">) {
  const [id, setId] = useState("");
  return (
    <Form
      class="card padded stack"
      onSend={async () => onChoose({ id, name: id })}
    >
      <div class="field">
        <label for="record-id">Id of the record</label>
        <input
          id="record-id"
          class="input"
          required
          autocomplete="off"
          value={id}
          onInput={(event) => setId(event.currentTarget.value.trim())}
        />
        <span class="hint">
          This platform cannot be searched. It shows the id of each record.
        </span>
      </div>
      <div>
        <Button type="submit">Use this record</Button>
      </div>
    </Form>
  );
}

const pauseMs = 300;

/** A text once nobody has typed for a moment: platforms take few requests. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

interface TryProgressProps {
  batchId: string;
  record: TableRecord;
  table: OpenedTable;
  choice: Choice;
  onAgain: () => void;
}

/** Somebody is waiting for it. */
const everyMs = 700;

/** How far the document is, until its file lies in the cell, or why it does not. */
function TryProgress(props: TryProgressProps) {
  const { batchId, choice } = props;
  const { data, fault, reload } = useResource(batchId, () =>
    askPublic<TriedBatch>(`batches/${batchId}`),
  );
  const progress = data && progressOf(data, choice.field !== NOWHERE);
  useLive(reload, progress?.isOver !== true, everyMs);
  if (fault !== null)
    return (
      <Fault
        what="How far it is could not be read"
        why={fault}
        onRetry={reload}
      />
    );
  return (
    <section
      class="card padded stack"
      aria-label="The document"
      aria-live="polite"
    >
      <ol class="stages">
        <Stage state={progress?.made ?? "waiting"} words="Document made" />
        {choice.field !== NOWHERE && (
          <Stage
            state={progress?.written ?? "waiting"}
            words={`File put into “${fieldName(props)}”`}
          />
        )}
      </ol>
      {progress && <Outcome {...props} progress={progress} />}
    </section>
  );
}

const stageWords = {
  waiting: "Waiting",
  busy: "In work",
  done: "Done",
  failed: "Failed",
} as const;

function Stage({
  state,
  words,
}: {
  state: keyof typeof stageWords;
  words: string;
}) {
  return (
    <li class={`try-stage ${state}`}>
      <span class="rail-mark" aria-hidden="true">
        {state === "busy" && <span class="spinner" />}
        {state === "done" && <Icon name="check" size={16} />}
        {state === "failed" && <Icon name="close" size={16} />}
      </span>
      <span>{words}</span>
      <span class="muted small">{stageWords[state]}</span>
    </li>
  );
}

function fieldName({ table, choice }: TryProgressProps): string {
  return (
    table.fields.find(({ id }) => id === choice.field)?.name ?? "the field"
  );
}

function Outcome(props: TryProgressProps & { progress: Progress }) {
  const { progress, record, table, choice, onAgain } = props;
  const { made, written, error } = progress;
  return (
    <>
      {made === "failed" && (
        <Failed
          title="The document was not made"
          why={error}
          mend="fields"
          {...{ choice, onAgain }}
        />
      )}
      {written === "failed" && (
        <Failed
          title="The document is made, but not in your table"
          why={error}
          mend="file"
          {...{ choice, onAgain }}
        />
      )}
      {progress.isOver && error === null && (
        <Notice tone="good" title="It works">
          <p>
            {choice.field === NOWHERE
              ? `The document of “${record.name}” is ready.`
              : `The file is in the field “${fieldName(props)}” of “${record.name}” in “${table.name}”.`}
          </p>
        </Notice>
      )}
      <Files {...props} />
    </>
  );
}

function Files({
  progress: { files, isOver, error },
  choice,
}: TryProgressProps & { progress: Progress }) {
  return (
    <div class="row">
      {files.map(({ label, url, sizeBytes }) => (
        <a
          class="button"
          href={local(url)}
          target="_blank"
          rel="noreferrer"
          key={label}
        >
          <Icon name="open" />
          Open the {label.toUpperCase()}
          <span class="muted small">{sizeOf(sizeBytes)}</span>
        </a>
      ))}
      {isOver && error === null && (
        <Link class="button" to={`templates/${choice.template}`}>
          To the template
        </Link>
      )}
    </div>
  );
}

interface FailedProps {
  title: string;
  why: string | null;
  /** The step in which it can be mended. */
  mend: Step;
  choice: Choice;
  onAgain: () => void;
}

function Failed({ title, why, mend, choice, onAgain }: FailedProps) {
  return (
    <Notice tone="bad" title={title}>
      <p>{why ?? "No reason is known."}</p>
      <div class="row">
        <Button onPress={onAgain}>Try again</Button>
        <Link class="button" to={addressOf(mend, choice)}>
          Back to “{stepWords[mend].short}”
        </Link>
      </div>
    </Notice>
  );
}

/** A batch of one document, as far as is looked at. */
interface TriedBatch {
  status: "queued" | "running" | "completed";
  writeBack: { pending: number } | null;
  documents: {
    status: "queued" | "rendering" | "succeeded" | "failed" | "expired";
    error?: string | null;
    outputs: { label: string; url: string; sizeBytes: number }[];
    metadata: {
      platen?: { writeBack?: { status: string; error?: string } };
    } | null;
  }[];
}

type StageState = "waiting" | "busy" | "done" | "failed";

interface Progress {
  made: StageState;
  written: StageState;
  /** Why either failed. */
  error: string | null;
  isOver: boolean;
  files: TriedBatch["documents"][number]["outputs"];
}

/** @param isWritten whether the file is to be put into a field at all. */
function progressOf({ documents }: TriedBatch, isWritten: boolean): Progress {
  const [document] = documents;
  const status = document?.status ?? "queued";
  const made = madeStates[status];
  const told = document?.metadata?.platen?.writeBack;
  const written = made === "done" ? writtenState(told?.status) : "waiting";
  const isThere = written === "done" || written === "failed" || !isWritten;
  return {
    made,
    written,
    error: document?.error ?? told?.error ?? null,
    isOver: made === "failed" || (made === "done" && isThere),
    files: document?.outputs ?? [],
  };
}

const madeStates = {
  queued: "waiting",
  rendering: "busy",
  succeeded: "done",
  failed: "failed",
  expired: "failed",
} as const satisfies Record<string, StageState>;

function writtenState(told: string | undefined): StageState {
  if (told === "succeeded") return "done";
  return told === "failed" ? "failed" : "busy";
}
