import type { BatchLine as Batch } from "../../../../../../core/plugin-api/app-plugin.js";
import { ask } from "../../api.js";
import { agoOf, momentOf } from "../../format.js";
import { Link, place } from "../../router.js";
import { useLive, useResource } from "../../resource.js";
import { LoadStatus } from "../../ui/loading.js";
import { Empty } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { pageIn, Pages } from "../../ui/pagination.js";
import { t } from "../../messages/index.js";

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
      <PageTitle title={t("shell.batches")} lead={t("batches.lead")} />
      <LoadStatus resource={log} what={t("batches.couldntLoadBatches")} />
      {log.data && <Lines log={log.data} page={page} />}
    </>
  );
}

function Lines({ log, page }: { log: Log; page: number }) {
  if (log.total === 0)
    return (
      <Empty icon="batches" title={t("batches.noBatchesYet")}>
        <p>{t("batches.noBatchesHelp")}</p>
      </Empty>
    );
  return (
    <>
      <ul class="card lines">
        {log.data.map((batch) => (
          <BatchLine batch={batch} key={batch.id} />
        ))}
      </ul>
      <Pages page={page} total={log.total} />
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
    return ["warn busy", t("batches.canceling")];
  if (cancelledAt !== null) return ["warn", t("batches.canceled")];
  if (status === "queued") return ["", t("common.queued")];
  if (status === "running") return ["info busy", t("common.rendering")];
  return failed === totalCount
    ? ["bad", t("common.failed")]
    : ["good", t("common.done")];
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
