import { useEffect } from "preact/hooks";
import type {
  BatchFailures,
  DocumentLine as Line,
} from "../../../core/documents/views.js";
import type { BatchLine as Batch } from "../../../core/batches/views.js";
import { clock } from "../../../core/lib/clock.js";
import { ask, askPublic, publicAddress, type Schemas } from "../api.js";
import { agoOf, momentOf, numberOf } from "../format.js";
import { t } from "../messages/index.js";
import { rich } from "../messages/rich.js";
import { type ListPage, useLive, useResource } from "../resource.js";
import { Link, place, go, setQuery, whereNow } from "../router.js";
import { may } from "../session.js";
import { Button } from "../ui/button.js";
import { askFirst } from "../ui/dialog.js";
import { Choices } from "../ui/form.js";
import { Icon } from "../ui/icon.js";
import { LoadStatus } from "../ui/loading.js";
import { Empty } from "../ui/notice.js";
import { Crumb, PageTitle } from "../ui/page-title.js";
import { Badge, pageIn, PagedList } from "../ui/list.js";
import { toast } from "../ui/toast.js";
import { DocumentLine } from "./documents.js";

export function BatchesPage() {
  const at = `batches?page=${pageIn(place.value.searchParams)}`;
  const log = useResource(at, () => ask<ListPage<Batch>>(at));
  useLive("batches", log.reload);
  return (
    <>
      <PageTitle title={t("shell.batches")} lead={t("batches.lead")} />
      <PagedList
        resource={log}
        what={t("batches.couldntLoadBatches")}
        empty={
          <Empty icon="batches" title={t("batches.noBatchesYet")}>
            <p>{t("batches.noBatchesHelp")}</p>
            <Link class="button" to="templates">
              {t("shell.goToTemplates")}
            </Link>
          </Empty>
        }
      >
        {(batch) => <BatchLine batch={batch} key={batch.id} />}
      </PagedList>
    </>
  );
}

function BatchLine({ batch }: { batch: Batch }) {
  return (
    <li class="line batch">
      <div class="words">
        <Link class="strong" to={`batches/${batch.id}`}>
          {batch.template.name}
        </Link>
        <span class="muted small" title={momentOf(batch.createdAt)}>
          {t("batches.summary", {
            count: batch.totalCount,
            ago: agoOf(batch.createdAt),
            createdBy: batch.createdBy,
          })}
        </span>
      </div>
      <BatchProgress batch={batch} />
      <div class="row states">
        {batch.failed > 0 && (
          <span class="badge bad">
            {t("batches.failedFailed", { failed: batch.failed })}
          </span>
        )}
        <BatchState batch={batch} />
      </div>
    </li>
  );
}

function BatchState({ batch }: { batch: Batch }) {
  const [tone, said] = stateOf(batch);
  return <Badge tone={tone}>{said}</Badge>;
}

function stateOf(batch: Batch): [tone: string, said: string] {
  const { status, cancelledAt, failed, totalCount, writeBack } = batch;
  if (status !== "completed" && cancelledAt !== null)
    return ["warn busy", t("batches.canceling")];
  if (cancelledAt !== null) return ["warn", t("batches.canceled")];
  if (status === "queued") return ["", t("common.queued")];
  if (status === "running") return ["info busy", t("common.rendering")];
  if (failed === totalCount) return ["bad", t("common.failed")];
  if (failed > 0) return ["warn", t("batches.doneWithFailures")];
  if (writeBack.pending > 0) return ["info busy", t("batches.savingFiles")];
  return writeBack.failed > 0
    ? ["warn", t("batches.filesNotSaved", { count: writeBack.failed })]
    : ["good", t("common.done")];
}

function BatchProgress({ batch }: { batch: Batch }) {
  const { totalCount, remaining, failed } = batch;
  const ended = totalCount - remaining;
  const share = (count: number) => ({
    width: `${(100 * count) / totalCount}%`,
  });
  return (
    <div class="progress">
      <div
        class="track"
        role="progressbar"
        aria-label={t("batches.finishedDocuments")}
        aria-valuemin={0}
        aria-valuemax={totalCount}
        aria-valuenow={ended}
      >
        <span class="made" style={share(ended - failed)} />
        <span class="lost" style={share(failed)} />
      </div>
      <span class="muted small figures">
        {t("batches.endedOfTotalCount", { ended, totalCount })}
      </span>
    </div>
  );
}

type Told = Schemas["Batch"];
type BatchCounts = Told["counts"];
type WriteBackCounts = NonNullable<Told["writeBack"]>;
type DeliveryCounts = NonNullable<Told["deliveries"]>;

interface OpenedBatch
  extends
    Batch,
    Pick<
      Told,
      "counts" | "retryOf" | "formats" | "deliveries" | "merged" | "emptyLists"
    > {
  /** Null when nothing is saved to the records. */
  saved: WriteBackCounts | null;
}

export function BatchPage({ id }: { id: string }) {
  const batch = useResource(id, () => open(id));
  const { data, fault, reload } = batch;
  useLive(`batch:${id}`, reload, data !== null && isOpen(data));
  return (
    <>
      <Crumb to="batches">{t("shell.batches")}</Crumb>
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

/** The list provides the names; all counts come from one response, so they are consistent. */
async function open(id: string): Promise<OpenedBatch> {
  const [batch, listed] = await Promise.all([
    askPublic<Told>(`batches/${id}?pageSize=1`),
    ask<{ data: Batch[] }>(`batches?batchId=${id}`),
  ]);
  const [line] = listed.data;
  if (!line) throw new Error(t("batches.batchNotFound"));
  const { writeBack, ...details } = batch;
  const { counts } = details;
  return {
    ...line,
    ...details,
    saved: writeBack,
    writeBack: writeBack ?? { pending: 0, failed: 0 },
    remaining: counts.queued + counts.rendering,
    failed: counts.failed,
  };
}

/** Whether the batch can still change without further requests. */
function isOpen(batch: OpenedBatch): boolean {
  const { status, writeBack, deliveries, merged } = batch;
  return (
    status !== "completed" ||
    writeBack.pending > 0 ||
    (deliveries?.pending ?? 0) > 0 ||
    merged?.status === "pending"
  );
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
        {batch.failed > 0 && <Failures batch={batch} />}
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
      {batch.saved && (
        <WriteBack id={batch.id} counts={batch.saved} onChange={onChange} />
      )}
      {batch.deliveries && (
        <Deliveries
          id={batch.id}
          counts={batch.deliveries}
          onChange={onChange}
        />
      )}
      {batch.emptyLists.length > 0 && (
        <p class="small">
          {t("batches.emptyLists", { names: batch.emptyLists.join(", ") })}
        </p>
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

/** Why documents failed: each error with the number of its documents. */
function Failures({ batch: { id, failed } }: { batch: OpenedBatch }) {
  const at = `batches/${id}/failures`;
  const { data } = useResource(`${at} ${failed}`, () => ask<BatchFailures>(at));
  if (!data || data.data.length === 0) return null;
  const listed = data.data.reduce((sum, { count }) => sum + count, 0);
  const others = data.total - listed;
  return (
    <section class="card padded stack" aria-labelledby="failures">
      <h2 id="failures">{t("batches.whatFailed", { count: data.total })}</h2>
      <ul class="failures">
        {data.data.map(({ error, count }) => (
          <li key={error}>
            <span class="badge bad">{numberOf(count)}</span>
            <span>{error === "" ? t("common.noReasonGiven") : error}</span>
          </li>
        ))}
      </ul>
      {others > 0 && (
        <p class="muted small">{t("batches.otherErrors", { count: others })}</p>
      )}
    </section>
  );
}

function whenOf({ cancelledAt, completedAt }: Batch): string {
  const at = cancelledAt ?? completedAt;
  return at === null ? "" : momentOf(at);
}

function BatchActions({ batch, onChange }: OpenedProps) {
  const { id, status, cancelledAt, counts } = batch;
  const at = `batches/${id}`;
  const isOver = status === "completed";
  const cancel = async () => {
    await askPublic(`${at}/cancel`, "POST");
    await onChange();
  };
  const retry = async () => {
    const isHere = whereNow();
    const next = await askPublic<{ batchId: string }>(`${at}/retry`, "POST");
    if (isHere()) go(`batches/${next.batchId}`);
    toast(t("batches.retryStarted"));
  };
  return (
    <>
      {may("editor") && !isOver && cancelledAt === null && (
        <Button
          dialog={askFirst({
            title: t("batches.cancelThisBatch"),
            text: t("batches.cancelWarning", { count: counts.queued }),
            act: t("batches.cancelBatch"),
            keep: t("batches.keepRunning"),
            onAct: cancel,
          })}
        >
          {t("batches.cancelBatch")}
        </Button>
      )}
      {may("editor") && isOver && counts.failed + counts.expired > 0 && (
        <Button onPress={retry}>
          {counts.failed > 0
            ? t("batches.retryFailedDocuments")
            : t("batches.retryExpiredDocuments")}
        </Button>
      )}
      {counts.succeeded > 0 && (
        <a class="button" href={publicAddress(`${at}/archive`)} download>
          <Icon name="download" />
          {t("batches.downloadAll")}
        </a>
      )}
      {batch.fileName !== null && (
        <a class="button" href={publicAddress(`${at}/table`)} download>
          <Icon name="table" />
          {t("batches.downloadTable")}
        </a>
      )}
      <OnePdf batch={batch} onChange={onChange} />
    </>
  );
}

/** How often a batch is read while its PDF is being created, which the live stream does not report. */
const onePdfMs = 2000;

function OnePdf({ batch, onChange }: OpenedProps) {
  const { id, status, counts, formats, merged } = batch;
  const isPending = status === "completed" && merged?.status === "pending";
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = clock.every(onePdfMs, () => void onChange());
    return () => timer.cancel();
  }, [isPending, onChange]);
  const at = `batches/${id}/merged`;
  const create = async () => {
    await askPublic(at, "POST", {});
    await onChange();
  };
  if (counts.succeeded === 0 || !formats.includes("pdf")) return null;
  if (merged?.status === "succeeded" && merged.url !== null)
    return (
      <a class="button" href={publicAddress(at)} download>
        <Icon name="download" />
        {t("batches.downloadOnePdf")}
      </a>
    );
  if (isPending)
    return (
      <span class="muted small" role="status">
        {t("batches.creatingOnePdf")}
      </span>
    );
  if (status !== "completed" || !may("editor")) return null;
  return (
    <>
      {merged?.error != null && (
        <span class="muted small" role="status">
          {t("batches.onePdfFailed", { reason: merged.error })}
        </span>
      )}
      <Button onPress={create}>{t("batches.createOnePdf")}</Button>
    </>
  );
}

interface WriteBackProps {
  id: string;
  counts: WriteBackCounts;
  onChange: () => Promise<void>;
}

/** How many documents have their files saved to the records. */
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

interface DeliveriesProps {
  id: string;
  counts: DeliveryCounts;
  onChange: () => Promise<void>;
}

/** How many documents were delivered. Those that may have arrived are sent again only if a person wants that. */
function Deliveries({ id, counts, onChange }: DeliveriesProps) {
  const retry = async (unknown: boolean) => {
    await askPublic(`batches/${id}/deliveries/retry`, "POST", { unknown });
    await onChange();
    toast(t("deliveries.retrying"));
  };
  const { succeeded, pending, failed, unknown } = counts;
  const facts = [
    t("deliveries.delivered", { succeeded }),
    ...(pending > 0 ? [t("batches.filesPending", { pending })] : []),
    ...(failed > 0 ? [t("batches.filesFailed", { failed })] : []),
    ...(unknown > 0 ? [t("deliveries.unknown", { unknown })] : []),
  ];
  return (
    <div class="row small">
      <span>{facts.join(", ")}</span>
      {failed > 0 && may("editor") && (
        <Button onPress={() => retry(false)}>{t("deliveries.retry")}</Button>
      )}
      {unknown > 0 && may("editor") && (
        <Button
          dialog={askFirst({
            title: t("deliveries.sendAgain"),
            text: t("deliveries.sendAgainWarning", { count: unknown }),
            act: t("deliveries.sendAgain"),
            onAct: () => retry(true),
          })}
        >
          {t("deliveries.sendAgain")}
        </Button>
      )}
    </div>
  );
}

type Status = keyof BatchCounts;

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

function BatchDocuments({ batch }: { batch: OpenedBatch }) {
  const { searchParams } = place.value;
  const requestedFilter = searchParams.get("show");
  const [show, , statuses] = filters.find(
    ([name]) => name === requestedFilter,
  ) ?? ["all", "", []];
  const query = new URLSearchParams([
    ["batchId", batch.id],
    ["page", String(pageIn(searchParams))],
    ...statuses.map((status) => ["status", status]),
  ]).toString();
  // The counts are part of the key, so the list is reloaded whenever they change.
  const key = `${query} ${JSON.stringify([batch.counts, batch.saved, batch.deliveries])}`;
  const log = useResource(
    key,
    () => ask<ListPage<Line>>(`documents?${query}`),
    query,
  );
  return (
    <section class="stack" aria-label={t("batches.documentsOfBatch")}>
      <Choices
        legend={t("documents.filterDocuments")}
        options={optionsOf(batch.counts, show)}
        value={show}
        onChoose={(chosen) =>
          setQuery({ show: chosen === "all" ? "" : chosen, page: "" })
        }
      />
      <PagedList
        resource={log}
        what={t("batches.couldntLoadDocuments")}
        empty={
          <Empty icon="documents" title={t("documents.noMatchingDocuments")} />
        }
      >
        {(line) => <DocumentLine line={line} key={line.id} />}
      </PagedList>
    </section>
  );
}

/** The filters that match any document, and the current one. */
function optionsOf(counts: BatchCounts, current: string): [string, string][] {
  return filters
    .map(([show, words, statuses]) => {
      const count = statuses.reduce((sum, status) => sum + counts[status], 0);
      return { show, words, count };
    })
    .filter(({ show, count }) => count > 0 || show === current)
    .map(({ show, words, count }) => [show, `${words} ${numberOf(count)}`]);
}
