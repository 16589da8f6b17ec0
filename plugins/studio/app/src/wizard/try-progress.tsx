import type {
  OpenedTable,
  TableRecord,
} from "../../../../../core/plugin-api/app-wizard.js";
import { askPublic, local } from "../api.js";
import { sizeOf } from "../format.js";
import { Link } from "../link.js";
import { useLive } from "../live.js";
import { useResource } from "../resource.js";
import { Button } from "../ui/button.js";
import { Icon } from "../ui/icon.js";
import { Fault, Notice } from "../ui/notice.js";
import { addressOf, type Choice, NOWHERE } from "./choice.js";
import { type Progress, progressOf, type TriedBatch } from "./progress.js";
import type { Step } from "./steps.js";
import { stepWords } from "./steps.js";

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
export function TryProgress(props: TryProgressProps) {
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
