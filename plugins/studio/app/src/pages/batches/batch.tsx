import { useState } from "preact/hooks";
import type {
  BatchLine as Batch,
  DocumentLine as Line,
} from "../../../../../../core/plugin-api/app-plugin.js";
import { ask, askPublic, publicAddress } from "../../api.js";
import { agoOf, countOf, momentOf, numberOf } from "../../format.js";
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
        Batches
      </Link>
      {!data && <PageTitle title="Batch" />}
      <LoadStatus
        resource={{ data, fault, reload }}
        what="the batch"
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
  if (!line) throw new Error("Batch not found.");
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
        title={`Batch of ${template.name}`}
        lead={
          <span title={momentOf(createdAt)}>
            {countOf(totalCount, "document")}, {agoOf(createdAt)} by {createdBy}
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
    <section class="card padded stack" aria-label="Progress">
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
          Retries the failed documents of{" "}
          <Link to={`batches/${batch.retryOf}`}>another batch</Link>.
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
    toast("Started a new batch for the failed documents.");
  };
  return (
    <>
      {may("editor") && !isOver && cancelledAt === null && (
        <Button onPress={() => setEnding(true)}>Cancel batch</Button>
      )}
      {may("editor") && isOver && counts.failed > 0 && (
        <Button onPress={retry}>Retry failed documents</Button>
      )}
      {counts.succeeded > 0 && (
        <a class="button" href={publicAddress(`${at}/archive`)} download>
          <Icon name="download" />
          Download all
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
      title="Cancel this batch?"
      act="Cancel batch"
      keep="Keep running"
      onAct={cancel}
      onClose={onClose}
    >
      <p>
        {countOf(counts.queued, "queued document")} will not be created.
        Documents that are being rendered finish, and finished documents are
        kept.
      </p>
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
    toast("Retrying the failed files.");
  };
  return (
    <div class="row small">
      <span>
        Files saved to the table: {numberOf(counts.succeeded)}
        {counts.pending > 0 && `, ${numberOf(counts.pending)} pending`}
        {counts.failed > 0 && `, ${numberOf(counts.failed)} failed`}.
      </span>
      {counts.failed > 0 && may("editor") && (
        <Button onPress={again}>Retry failed files</Button>
      )}
    </div>
  );
}

type Status = keyof Counts;

const filters: [show: string, words: string, statuses: readonly Status[]][] = [
  ["all", "All", ["queued", "rendering", "succeeded", "failed", "expired"]],
  ["failed", "Failed", ["failed"]],
  ["open", "In progress", ["queued", "rendering"]],
  ["succeeded", "Done", ["succeeded"]],
  ["expired", "Expired", ["expired"]],
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
    <section class="stack" aria-label="Documents of the batch">
      <Choices
        legend="Which documents"
        options={optionsOf(batch.counts, show)}
        value={show}
        onChoose={(one) =>
          setQuery({ show: one === "all" ? "" : one, page: "" })
        }
      />
      <LoadStatus resource={log} what="the documents" />
      {log.data && <Lines log={log.data} page={page} />}
    </section>
  );
}

function Lines({ log, page }: { log: Log; page: number }) {
  if (log.total === 0)
    return <Empty icon="documents" title="No matching documents" />;
  return (
    <>
      <ul class="card lines">
        {log.data.map((line) => (
          <DocumentLine line={line} key={line.id} />
        ))}
      </ul>
      <Pages page={page} total={log.total} what="documents" />
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
