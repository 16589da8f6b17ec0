import type { DocumentLine as Line } from "../../../../../../core/plugin-api/app-lists.js";
import { ask } from "../../api.js";
import { numberOf } from "../../format.js";
import { useResource } from "../../resource.js";
import { place, setQuery } from "../../router.js";
import { Bones } from "../../ui/bones.js";
import { Choices } from "../../ui/choices.js";
import { Empty, Fault } from "../../ui/notice.js";
import { pageIn, Pages } from "../../ui/pages.js";
import type { Counts, OpenedBatch } from "./batch.js";
import { DocumentLine } from "../documents/document-line.js";

type Status = keyof Counts;

const filters: [show: string, words: string, statuses: readonly Status[]][] = [
  ["all", "All", ["queued", "rendering", "succeeded", "failed", "expired"]],
  ["failed", "Failed", ["failed"]],
  ["open", "In progress", ["queued", "rendering"]],
  ["succeeded", "Made", ["succeeded"]],
  ["expired", "Expired", ["expired"]],
];

interface Log {
  data: Line[];
  total: number;
}

/** A batch's documents, to be sifted by how they went. */
export function BatchDocuments({ batch }: { batch: OpenedBatch }) {
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
  // Read again whenever a document of the batch moved on: the list is never behind the counts.
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
      {log.fault && (
        <Fault
          what="The documents could not be read"
          why={log.fault}
          onRetry={log.reload}
        />
      )}
      {!log.data && !log.fault && <Bones />}
      {log.data && <Lines log={log.data} page={page} />}
    </section>
  );
}

function Lines({ log, page }: { log: Log; page: number }) {
  if (log.total === 0)
    return <Empty icon="documents" title="No such documents" />;
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

/** What there is of each, and what is shown now. */
function optionsOf(counts: Counts, shown: string): [string, string][] {
  return filters
    .map(([show, words, statuses]) => {
      const count = statuses.reduce((sum, status) => sum + counts[status], 0);
      return { show, words, count };
    })
    .filter(({ show, count }) => count > 0 || show === shown)
    .map(({ show, words, count }) => [show, `${words} ${numberOf(count)}`]);
}
