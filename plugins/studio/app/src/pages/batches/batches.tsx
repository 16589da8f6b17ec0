import type { BatchLine as Batch } from "../../../../../../core/plugin-api/app-ledgers.js";
import { ask } from "../../api.js";
import { agoOf, countOf, momentOf, numberOf } from "../../format.js";
import { Link, place } from "../../router.js";
import { useLive, useResource } from "../../resource.js";
import { Bones } from "../../ui/loading.js";
import { Empty, Fault } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { pageIn, Pages } from "../../ui/pagination.js";

interface Log {
  data: Batch[];
  total: number;
}

export function BatchesPage() {
  const page = pageIn(place.value.searchParams);
  const at = `batches?page=${page}`;
  const log = useResource(at, () => ask<Log>(at));
  useLive(log.reload);
  return (
    <>
      <PageTitle
        title="Batches"
        lead="Many records, each made into a document. The list keeps itself up to date."
      />
      {log.fault && (
        <Fault
          what="The batches could not be read"
          why={log.fault}
          onRetry={log.reload}
        />
      )}
      {!log.data && !log.fault && <Bones />}
      {log.data && <Lines log={log.data} page={page} />}
    </>
  );
}

function Lines({ log, page }: { log: Log; page: number }) {
  if (log.total === 0)
    return (
      <Empty icon="batches" title="No batches yet">
        <p>
          Programs send them, and spreadsheets by their buttons. Here you see
          how far they are, and what failed.
        </p>
      </Empty>
    );
  return (
    <>
      <ul class="card lines">
        {log.data.map((batch) => (
          <BatchLine batch={batch} key={batch.id} />
        ))}
      </ul>
      <Pages page={page} total={log.total} what="batches" />
    </>
  );
}

/** A batch in the list: of what, how far, and how it went. */
function BatchLine({ batch }: { batch: Batch }) {
  return (
    <li class="line batch">
      <div class="words">
        <Link class="strong" to={`batches/${batch.id}`}>
          {batch.template.name}
        </Link>
        <span class="muted small" title={momentOf(batch.createdAt)}>
          {countOf(batch.totalCount, "document")}, {agoOf(batch.createdAt)} by{" "}
          {batch.createdBy}
        </span>
      </div>
      <BatchProgress batch={batch} />
      <div class="row states">
        {batch.failed > 0 && (
          <span class="badge bad">{batch.failed} failed</span>
        )}
        <BatchState batch={batch} />
      </div>
    </li>
  );
}

/** In a word, how a batch is. */
export function BatchState({ batch }: { batch: Batch }) {
  const [tone, said] = stateOf(batch);
  return (
    <span class={`badge ${tone}`}>
      <span class="dot" />
      {said}
    </span>
  );
}

function stateOf(batch: Batch): [tone: string, said: string] {
  const { status, cancelledAt, failed, totalCount } = batch;
  if (status !== "completed" && cancelledAt !== null)
    return ["warn busy", "Being cancelled"];
  if (cancelledAt !== null) return ["warn", "Cancelled"];
  if (status === "queued") return ["", "Waiting"];
  if (status === "running") return ["info busy", "Being made"];
  return failed === totalCount ? ["bad", "Failed"] : ["good", "Done"];
}

/** How many of a batch's documents have ended, as a bar and in figures. */
export function BatchProgress({ batch }: { batch: Batch }) {
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
        aria-label="Documents that have ended"
        aria-valuemin={0}
        aria-valuemax={totalCount}
        aria-valuenow={ended}
      >
        <span class="made" style={share(ended - failed)} />
        <span class="lost" style={share(failed)} />
      </div>
      <span class="muted small figures">
        {numberOf(ended)} of {numberOf(totalCount)}
      </span>
    </div>
  );
}
