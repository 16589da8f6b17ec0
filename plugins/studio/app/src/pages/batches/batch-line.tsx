import type { BatchLine as Batch } from "../../../../../../core/plugin-api/app-ledgers.js";
import { agoOf, countOf, momentOf } from "../../format.js";
import { Link } from "../../link.js";
import { BatchProgress } from "./batch-progress.js";

/** A batch in the list: of what, how far, and how it went. */
export function BatchLine({ batch }: { batch: Batch }) {
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
