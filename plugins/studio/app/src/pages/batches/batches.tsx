import type { BatchLine as Batch } from "../../../../../../core/plugin-api/app-ledgers.js";
import { ask } from "../../api.js";
import { useLive } from "../../live.js";
import { useResource } from "../../resource.js";
import { place } from "../../router.js";
import { Bones } from "../../ui/bones.js";
import { Empty, Fault } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { pageIn, Pages } from "../../ui/pages.js";
import { BatchLine } from "./batch-line.js";

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
