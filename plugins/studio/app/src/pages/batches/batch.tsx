import { useState } from "preact/hooks";
import type {
  BatchLine as Batch,
  DocumentLine as Line,
} from "../../../../../../core/plugin-api/app-plugin.js";
import { ask, askPublic, publicAddress } from "../../api.js";
import { agoOf, momentOf, numberOf } from "../../format.js";
import { go, Link, place, setQuery, whereNow } from "../../router.js";
import { useLive, useResource } from "../../resource.js";
import { may } from "../../session.js";
import { ConfirmDialog } from "../../ui/dialog.js";
import { LoadStatus } from "../../ui/loading.js";
import { Button } from "../../ui/button.js";
import { Choices } from "../../ui/choices.js";
import { Icon } from "../../ui/icon.js";
import { Empty } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { pageIn, Pages } from "../../ui/pagination.js";
import { toast } from "../../ui/toast.js";
import { DocumentLine } from "../documents.js";
import { BatchProgress, BatchState } from "./batches.js";
import { t } from "../../messages/index.js";
import { rich } from "../../messages/rich.js";

interface Counts {
  queued: number;
  rendering: number;
  succeeded: number;
  failed: number;
  expired: number;
}

interface OpenedBatch extends Batch {
  counts: Counts;
  writeBack: WriteBackCounts | null;
  retryOf: string | null;
}

export function BatchPage({ id }: { id: string }) {
  const batch = useResource(id, () => open(id));
  const { data, fault, reload } = batch;
  useLive(reload, data !== null && isOpen(data));
  return (
    <>
      <Link class="crumb" to="batches">
        <Icon name="back" size={16} />
        {t("shell.batches")}
      </Link>
      {!data && <PageTitle title={t("preview.batch")} />}
      <LoadStatus
        resource={{ data, fault, reload }}
        what={t("batches.couldntLoadBatch")}
        count={3}
      />
      {data && <Opened batch={data} onChange={reload} />}
    </>
  );
}

type Told = Pick<
  OpenedBatch,
  "status" | "cancelledAt" | "completedAt" | "counts" | "writeBack" | "retryOf"
>;

/** The list provides the names; all counts come from one response, so they are consistent. */
async function open(id: string): Promise<OpenedBatch> {
  const [told, listed] = await Promise.all([
    askPublic<Told>(`batches/${id}?pageSize=1`),
    ask<{ data: Batch[] }>(`batches?batchId=${id}`),
  ]);
  const [line] = listed.data;
  if (!line) throw new Error(t("batches.batchNotFound"));
  const { status, cancelledAt, completedAt, counts, writeBack, retryOf } = told;
  return {
    ...line,
    status,
    cancelledAt,
    completedAt,
    counts,
    writeBack,
    retryOf,
    remaining: counts.queued + counts.rendering,
    failed: counts.failed,
  };
}

/** Whether the batch can still change without further requests. */
function isOpen({ status, writeBack }: OpenedBatch): boolean {
  return status !== "completed" || (writeBack?.pending ?? 0) > 0;
}

interface OpenedProps {
  batch: OpenedBatch;
  onChange: () => Promise<void>;
}

function Opened({ batch, onChange }: OpenedProps) {
  const { template, totalCount, createdBy, createdAt } = batch;
  return (
    <>
      <PageTitle
        title={t("batches.batchOfName", { name: template.name })}
        lead={
          <span title={momentOf(createdAt)}>
            {t("batches.summary", {
              count: totalCount,
              ago: agoOf(createdAt),
              createdBy,
            })}
          </span>
        }
      >
        <BatchActions batch={batch} onChange={onChange} />
      </PageTitle>
      <div class="stack">
        <HowFar batch={batch} onChange={onChange} />
        <BatchDocuments batch={batch} />
      </div>
    </>
  );
}

function HowFar({ batch, onChange }: OpenedProps) {
  return (
    <section class="card padded stack" aria-label={t("batches.progress")}>
      <div class="row">
        <BatchState batch={batch} />
        <span class="muted small">{whenOf(batch)}</span>
      </div>
      <BatchProgress batch={batch} />
      {batch.writeBack && (
        <WriteBack id={batch.id} counts={batch.writeBack} onChange={onChange} />
      )}
      {batch.retryOf !== null && (
        <p class="small">
          {rich("batches.retryOf", {
            link: (text) => <Link to={`batches/${batch.retryOf}`}>{text}</Link>,
          })}
        </p>
      )}
    </section>
  );
}

function whenOf({ cancelledAt, completedAt }: Batch): string {
  const at = cancelledAt ?? completedAt;
  return at === null ? "" : momentOf(at);
}

interface BatchActionsProps {
  batch: OpenedBatch;
  onChange: () => Promise<void>;
}

function BatchActions({ batch, onChange }: BatchActionsProps) {
  const [isEnding, setEnding] = useState(false);
  const { id, status, cancelledAt, counts } = batch;
  const at = `batches/${id}`;
  const isOver = status === "completed";
  const retry = async () => {
    const isHere = whereNow();
    const next = await askPublic<{ batchId: string }>(`${at}/retry`, "POST");
    if (isHere()) go(`batches/${next.batchId}`);
    toast(t("batches.retryStarted"));
  };
  return (
    <>
      {may("editor") && !isOver && cancelledAt === null && (
        <Button onPress={() => setEnding(true)}>
          {t("batches.cancelBatch")}
        </Button>
      )}
      {may("editor") && isOver && counts.failed > 0 && (
        <Button onPress={retry}>{t("batches.retryFailedDocuments")}</Button>
      )}
      {counts.succeeded > 0 && (
        <a class="button" href={publicAddress(`${at}/archive`)} download>
          <Icon name="download" />
          {t("batches.downloadAll")}
        </a>
      )}
      {isEnding && (
        <CancelBatch
          batch={batch}
          onChange={onChange}
          onClose={() => setEnding(false)}
        />
      )}
    </>
  );
}

function CancelBatch({
  batch: { id, counts },
  onChange,
  onClose,
}: BatchActionsProps & { onClose: () => void }) {
  const cancel = async () => {
    await askPublic(`batches/${id}/cancel`, "POST");
    await onChange();
  };
  return (
    <ConfirmDialog
      title={t("batches.cancelThisBatch")}
      act={t("batches.cancelBatch")}
      keep={t("batches.keepRunning")}
      onAct={cancel}
      onClose={onClose}
    >
      <p>{t("batches.cancelWarning", { count: counts.queued })}</p>
    </ConfirmDialog>
  );
}

interface WriteBackCounts {
  pending: number;
  succeeded: number;
  failed: number;
}

interface WriteBackProps {
  id: string;
  counts: WriteBackCounts;
  onChange: () => Promise<void>;
}

/** Counts of the files saved to their records. */
function WriteBack({ id, counts, onChange }: WriteBackProps) {
  const again = async () => {
    await askPublic(`batches/${id}/write-back`, "POST");
    await onChange();
    toast(t("batches.retryingFailedFiles"));
  };
  const { succeeded, pending, failed } = counts;
  const facts = [
    t("batches.filesSaved", { succeeded }),
    ...(pending > 0 ? [t("batches.filesPending", { pending })] : []),
    ...(failed > 0 ? [t("batches.filesFailed", { failed })] : []),
  ];
  return (
    <div class="row small">
      <span>{facts.join(", ")}</span>
      {failed > 0 && may("editor") && (
        <Button onPress={again}>{t("batches.retryFailedFiles")}</Button>
      )}
    </div>
  );
}

type Status = keyof Counts;

const filters: [show: string, words: string, statuses: readonly Status[]][] = [
  [
    "all",
    t("common.all"),
    ["queued", "rendering", "succeeded", "failed", "expired"],
  ],
  ["failed", t("common.failed"), ["failed"]],
  ["open", t("common.inProgress"), ["queued", "rendering"]],
  ["succeeded", t("common.done"), ["succeeded"]],
  ["expired", t("common.expired"), ["expired"]],
];

interface Log {
  data: Line[];
  total: number;
}

/** The documents of a batch, with a filter by status. */
function BatchDocuments({ batch }: { batch: OpenedBatch }) {
  const { searchParams } = place.value;
  const asked = searchParams.get("show");
  const [show, , statuses] = filters.find(([one]) => one === asked) ?? [
    "all",
    "",
    [],
  ];
  const page = pageIn(searchParams);
  const query = new URLSearchParams([
    ["batchId", batch.id],
    ["page", String(page)],
    ...statuses.map((status) => ["status", status]),
  ]).toString();
  // The counts are part of the key, so the list is reloaded whenever they change.
  const key = `${query} ${JSON.stringify(batch.counts)}`;
  const log = useResource(key, () => ask<Log>(`documents?${query}`), query);
  return (
    <section class="stack" aria-label={t("batches.documentsOfBatch")}>
      <Choices
        legend={t("documents.filterDocuments")}
        options={optionsOf(batch.counts, show)}
        value={show}
        onChoose={(one) =>
          setQuery({ show: one === "all" ? "" : one, page: "" })
        }
      />
      <LoadStatus resource={log} what={t("batches.couldntLoadDocuments")} />
      {log.data && <Lines log={log.data} page={page} />}
    </section>
  );
}

function Lines({ log, page }: { log: Log; page: number }) {
  if (log.total === 0)
    return (
      <Empty icon="documents" title={t("documents.noMatchingDocuments")} />
    );
  return (
    <>
      <ul class="card lines">
        {log.data.map((line) => (
          <DocumentLine line={line} key={line.id} />
        ))}
      </ul>
      <Pages page={page} total={log.total} />
    </>
  );
}

/** The filters that match any document, and the current one. */
function optionsOf(counts: Counts, shown: string): [string, string][] {
  return filters
    .map(([show, words, statuses]) => {
      const count = statuses.reduce((sum, status) => sum + counts[status], 0);
      return { show, words, count };
    })
    .filter(({ show, count }) => count > 0 || show === shown)
    .map(({ show, words, count }) => [show, `${words} ${numberOf(count)}`]);
}
