import type { BatchLine as Batch } from "../../../../../../core/plugin-api/app-plugin.js";
import { ask } from "../../api.js";
import { agoOf, countOf, momentOf, numberOf } from "../../format.js";
import { Link, place } from "../../router.js";
import { useLive, useResource } from "../../resource.js";
import { LoadStatus } from "../../ui/loading.js";
import { Empty } from "../../ui/notice.js";
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
        lead="Each batch creates one document per record. This list updates automatically."
      />
      <LoadStatus resource={log} what="the batches" />
      {log.data && <Lines log={log.data} page={page} />}
    </>
  );
}

function Lines({ log, page }: { log: Log; page: number }) {
  if (log.total === 0)
    return (
      <Empty icon="batches" title="No batches yet">
        <p>
          Start batches from the API or a spreadsheet button. Their progress and
          errors appear here.
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
    return ["warn busy", "Canceling"];
  if (cancelledAt !== null) return ["warn", "Canceled"];
  if (status === "queued") return ["", "Queued"];
  if (status === "running") return ["info busy", "Rendering"];
  return failed === totalCount ? ["bad", "Failed"] : ["good", "Done"];
}

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
        aria-label="Finished documents"
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
