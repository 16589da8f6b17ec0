import { useEffect, useState } from "preact/hooks";
import type {
  OpenedTable,
  TableRecord,
} from "../../../../../core/plugin-api/app-plugin.js";
import { askPublic, local } from "../api.js";
import { sizeOf } from "../format.js";
import { useLive, useResource } from "../resource.js";
import { Link } from "../router.js";
import { Button } from "../ui/button.js";
import { Form, InputField, useAction } from "../ui/form.js";
import { Icon } from "../ui/icon.js";
import { LoadStatus } from "../ui/loading.js";
import { Fault, Notice } from "../ui/notice.js";
import { SearchField } from "../ui/search-field.js";
import {
  FocusedHeading,
  StepContent,
  ChoiceRejected,
  OptionButton,
  StepActions,
} from "./components.js";
import {
  getStepPath,
  type Choice,
  NOWHERE,
  type Step,
  stepTexts,
} from "./steps.js";
import { findRecords, loadTable, getRecordsRequest } from "./table.js";

export function TryStep({ choice }: { choice: Choice }) {
  const table = useResource(choice.table, () => loadTable(choice));
  return (
    <div class="stack wide-gap">
      <StepContent
        resource={table}
        what="Couldn't load the table"
        fixStep="table"
        choice={choice}
      >
        {(data) => <Trial table={data} choice={choice} />}
      </StepContent>
      <StepActions step="try" choice={choice}>
        <Link class="button" to="batches">
          Go to batches
        </Link>
      </StepActions>
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
    const order = { ...getRecordsRequest(choice), recordIds: [record.id] };
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
        <ChoiceRejected
          title="Couldn't create the document"
          why={fault}
          choice={choice}
        />
      )}
      <div>
        <Button kind="primary" isBusy={isBusy} onPress={run}>
          Create the document for “{record.name}”
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

/** Asks for a record by its primary field, or by its id if the platform cannot search. */
function RecordChoice(props: RecordChoiceProps) {
  const { table, choice, record, onChoose } = props;
  const [search, setSearch] = useState("");
  const text = useDebounced(search);
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
      <LoadStatus
        resource={{ data, fault, reload }}
        what="the records"
        count={4}
      />
      {data?.records.length === 0 && isCurrent && text === search && (
        <p class="muted small" role="status">
          {text === "" ? "The table has no records yet." : "No matches."}
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
      <InputField
        label="Record ID"
        id="record-id"
        hint="This platform can't be searched. It shows the ID of each record."
        required
        autocomplete="off"
        value={id}
        onChange={(text) => setId(text.trim())}
      />
      <div>
        <Button type="submit">Use this record</Button>
      </div>
    </Form>
  );
}

const pauseMs = 300;

/** Debounces a text, since platforms limit the rate of requests. */
function useDebounced(text: string): string {
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

/** A short interval, since somebody is waiting. */
const everyMs = 700;

/** The progress until the file is saved to the cell or an error occurs. */
function TryProgress(props: TryProgressProps) {
  const { batchId, choice } = props;
  const { data, fault, reload } = useResource(batchId, () =>
    askPublic<TriedBatch>(`batches/${batchId}`),
  );
  const progress = data && getProgress(data, choice.field !== NOWHERE);
  useLive(reload, progress?.isOver !== true, everyMs);
  if (fault !== null)
    return (
      <Fault what="Couldn't load the progress" why={fault} onRetry={reload} />
    );
  return (
    <section
      class="card padded stack"
      aria-label="The document"
      aria-live="polite"
    >
      <ol class="stages">
        <Stage state={progress?.made ?? "waiting"} words="Document created" />
        {choice.field !== NOWHERE && (
          <Stage
            state={progress?.written ?? "waiting"}
            words={`File saved to “${fieldName(props)}”`}
          />
        )}
      </ol>
      {progress && <Outcome {...props} progress={progress} />}
    </section>
  );
}

const stageWords = {
  waiting: "Waiting",
  busy: "In progress",
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
          title="Couldn't create the document"
          why={error}
          fixStep="fields"
          {...{ choice, onAgain }}
        />
      )}
      {written === "failed" && (
        <Failed
          title="The document was created but not saved to your table"
          why={error}
          fixStep="file"
          {...{ choice, onAgain }}
        />
      )}
      {progress.isOver && error === null && (
        <Notice tone="good" title="It works">
          <p>
            {choice.field === NOWHERE
              ? `The document for “${record.name}” is ready.`
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
          Go to the template{" "}
        </Link>
      )}
    </div>
  );
}

interface FailedProps {
  title: string;
  why: string | null;
  /** The step in which the error can be fixed. */
  fixStep: Step;
  choice: Choice;
  onAgain: () => void;
}

function Failed({ title, why, fixStep, choice, onAgain }: FailedProps) {
  return (
    <Notice tone="bad" title={title}>
      <p>{why ?? "No reason given."}</p>
      <div class="row">
        <Button onPress={onAgain}>Try again</Button>
        <Link class="button" to={getStepPath(fixStep, choice)}>
          Back to “{stepTexts[fixStep].short}”
        </Link>
      </div>
    </Notice>
  );
}

/** The part of a batch with one document that is used here. */
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
  /** Error of the failed stage. */
  error: string | null;
  isOver: boolean;
  files: TriedBatch["documents"][number]["outputs"];
}

/** @param isWritten whether the file is saved to a field */
function getProgress({ documents }: TriedBatch, isWritten: boolean): Progress {
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
