import { useState } from "preact/hooks";
import type {
  OpenedTable,
  TableRecord,
} from "../../../core/integrations/platforms/views.js";
import { askPublic, local } from "../api.js";
import { sizeOf } from "../format.js";
import { useDebounced, useLive, useResource } from "../resource.js";
import { Link } from "../router.js";
import { Button } from "../ui/button.js";
import { Form, InputField, useAction, SearchField } from "../ui/form.js";
import { Icon } from "../ui/icon.js";
import { LoadStatus } from "../ui/loading.js";
import { Fault, Notice } from "../ui/notice.js";
import {
  FocusedHeading,
  StepContent,
  StepError,
  ChoiceRejected,
  OptionButton,
  StepActions,
  StoredLinkNotice,
} from "./components.js";
import {
  type Choice,
  NOWHERE,
  findRecords,
  loadTable,
  getRecordsRequest,
} from "./steps.js";
import { t } from "../messages/index.js";
import { rich } from "../messages/rich.js";

export function TryStep({ choice }: { choice: Choice }) {
  const table = useResource(choice.table, () => loadTable(choice));
  return (
    <div class="stack wide-gap">
      <StepContent
        resource={table}
        what={t("fields.couldntLoadTable")}
        fixStep="table"
        choice={choice}
      >
        {(data) => <Trial table={data} choice={choice} />}
      </StepContent>
      <StepActions step="try" choice={choice}>
        <Link class="button" to="batches">
          {t("wizard.goToBatches")}
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
          title={t("render.couldntCreateDocument")}
          why={fault}
          choice={choice}
        />
      )}
      <StoredLinkNotice table={table} fieldId={choice.field} />
      <div>
        <Button kind="primary" isBusy={isBusy} onPress={run}>
          {t("wizard.createDocumentForName", { name: record.name })}
        </Button>
      </div>
    </div>
  );
}

interface RecordChoiceProps extends TrialProps {
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
  if (record)
    return (
      <div class="card chosen-record">
        <span class="words">
          <span class="muted small">{t("common.record")}</span>
          <FocusedHeading id="record">{record.name}</FocusedHeading>
        </span>
        <Button onPress={() => onChoose(null)}>
          {t("wizard.chooseAnother")}
        </Button>
      </div>
    );
  if (data?.records === null) return <ById onChoose={onChoose} />;
  return (
    <section class="stack close" aria-labelledby="record">
      <h2 id="record">
        {t("wizard.chooseRecordOfName", { name: table.name })}
      </h2>
      <SearchField
        words={t("wizard.searchByName", { name: field?.name ?? "name" })}
        value={search}
        onSearch={setSearch}
      />
      <LoadStatus
        resource={{ data, fault, reload }}
        what={t("wizard.couldntLoadRecords")}
        count={4}
      />
      {data?.records.length === 0 && isCurrent && text === search && (
        <p class="muted small" role="status">
          {text === "" ? t("wizard.tableHasNoRecordsYet") : t("text.noMatches")}
        </p>
      )}
      {data && data.records.length > 0 && (
        <ul class="card picks" aria-label={t("common.records")}>
          {data.records.map((tableRecord) => (
            <li key={tableRecord.id}>
              <OptionButton
                title={tableRecord.name}
                onPick={() => onChoose(tableRecord)}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
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
        label={t("wizard.recordId")}
        id="record-id"
        hint={t("wizard.recordIdHelp")}
        required
        autocomplete="off"
        value={id}
        onChange={(text) => setId(text.trim())}
      />
      <div>
        <Button type="submit">{t("fields.useThisRecord")}</Button>
      </div>
    </Form>
  );
}

interface TryProgressProps extends OneRecordProps {
  batchId: string;
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
  useLive(`batch:${batchId}`, reload, progress?.isOver !== true, everyMs);
  if (fault !== null)
    return (
      <Fault
        what={t("wizard.couldntLoadProgress")}
        why={fault}
        onRetry={reload}
      />
    );
  return (
    <section
      class="card padded stack"
      aria-label={t("common.document")}
      aria-live="polite"
    >
      <ol class="stages">
        <Stage
          state={progress?.made ?? "waiting"}
          words={t("render.documentCreated")}
        />
        {choice.field !== NOWHERE && (
          <Stage
            state={progress?.written ?? "waiting"}
            words={t("wizard.fileSavedToField", { field: fieldName(props) })}
          />
        )}
      </ol>
      {progress && <Outcome {...props} progress={progress} />}
    </section>
  );
}

const stageWords = {
  waiting: t("common.waiting"),
  busy: t("common.inProgress"),
  done: t("common.done"),
  failed: t("common.failed"),
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
    table.fields.find(({ id }) => id === choice.field)?.name ?? choice.field
  );
}

function Outcome(props: TryProgressProps & { progress: Progress }) {
  const { progress, record, table, choice, onAgain } = props;
  const { made, written, error } = progress;
  return (
    <>
      {made === "failed" && (
        <StepError
          what={t("render.couldntCreateDocument")}
          why={error ?? t("common.noReasonGiven")}
          fixStep="fields"
          choice={choice}
          onRetry={onAgain}
        />
      )}
      {written === "failed" && (
        <StepError
          what={t("wizard.notSavedToTable")}
          why={error ?? t("common.noReasonGiven")}
          fixStep="file"
          choice={choice}
          onRetry={onAgain}
        />
      )}
      {progress.isOver && error === null && (
        <Notice tone="good" title={t("wizard.itWorks")}>
          <p>
            {choice.field === NOWHERE
              ? t("wizard.documentReady", { name: record.name })
              : t("wizard.fileInField", {
                  field: fieldName(props),
                  name: record.name,
                  name2: table.name,
                })}
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
          {rich(
            "wizard.openLabelSize",
            { span: (text) => <span class="muted small">{text}</span> },
            { label: label.toUpperCase(), size: sizeOf(sizeBytes) },
          )}
        </a>
      ))}
      {isOver && error === null && (
        <Link class="button" to={`templates/${choice.template}`}>
          {t("wizard.goToTemplate")}{" "}
        </Link>
      )}
    </div>
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

interface Progress {
  made: keyof typeof stageWords;
  written: keyof typeof stageWords;
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
  const writeBack = document?.metadata?.platen?.writeBack;
  const written = made === "done" ? writtenState(writeBack?.status) : "waiting";
  const isThere = written === "done" || written === "failed" || !isWritten;
  return {
    made,
    written,
    error: document?.error ?? writeBack?.error ?? null,
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
} as const satisfies Record<string, keyof typeof stageWords>;

function writtenState(status: string | undefined): keyof typeof stageWords {
  if (status === "succeeded") return "done";
  return status === "failed" ? "failed" : "busy";
}
