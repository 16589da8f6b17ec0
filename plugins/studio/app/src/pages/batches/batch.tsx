import type { BatchLine as Batch } from "../../../../../../core/plugin-api/app-ledgers.js";
import { ask, askPublic } from "../../api.js";
import { Link } from "../../link.js";
import { agoOf, countOf, momentOf } from "../../format.js";
import { useLive } from "../../live.js";
import { useResource } from "../../resource.js";
import { Bones } from "../../ui/bones.js";
import { Icon } from "../../ui/icon.js";
import { Fault } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { BatchActions } from "./batch-actions.js";
import { BatchDocuments } from "./batch-documents.js";
import { BatchState } from "./batch-line.js";
import { BatchProgress } from "./batch-progress.js";
import { WriteBack, type WriteBackCounts } from "./write-back.js";

export interface Counts {
  queued: number;
  rendering: number;
  succeeded: number;
  failed: number;
  expired: number;
}

export interface OpenedBatch extends Batch {
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
      {fault && (
        <Fault
          what="The batch could not be read"
          why={fault}
          onRetry={reload}
        />
      )}
      {!data && !fault && <Bones count={3} />}
      {data && <Opened batch={data} onChange={reload} />}
    </>
  );
}

type Told = Pick<
  OpenedBatch,
  "status" | "cancelledAt" | "completedAt" | "counts" | "writeBack" | "retryOf"
>;

/** The list's answer names it; how far it is comes from the other alone, so that all of that is of one moment. */
async function open(id: string): Promise<OpenedBatch> {
  const [told, listed] = await Promise.all([
    askPublic<Told>(`batches/${id}?pageSize=1`),
    ask<{ data: Batch[] }>(`batches?batchId=${id}`),
  ]);
  const [line] = listed.data;
  if (!line) throw new Error("There is no such batch.");
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

/** Whether anything of it may still change by itself. */
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
    <section class="card padded stack" aria-label="How far it is">
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
          The failed documents of{" "}
          <Link to={`batches/${batch.retryOf}`}>another batch</Link>, once more.
        </p>
      )}
    </section>
  );
}

function whenOf({ cancelledAt, completedAt }: Batch): string {
  const at = cancelledAt ?? completedAt;
  return at === null ? "" : momentOf(at);
}
