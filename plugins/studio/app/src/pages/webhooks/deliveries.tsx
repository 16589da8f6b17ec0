import { useState } from "preact/hooks";
import { askPublic } from "../../api.js";
import { may } from "../../me.js";
import { useLive } from "../../live.js";
import { useResource } from "../../resource.js";
import { place, setQuery } from "../../router.js";
import { Bones } from "../../ui/bones.js";
import { Button } from "../../ui/button.js";
import { Choices } from "../../ui/choices.js";
import { Empty, Fault } from "../../ui/notice.js";
import { pageIn, Pages } from "../../ui/pages.js";
import { type Delivery, DeliveryLine } from "./delivery-line.js";
import { DeliveryShown } from "./delivery-shown.js";
import { ReplaySpan } from "./replay-span.js";
import "./webhooks.css";

interface Log {
  data: Delivery[];
  pagination: { total: number };
}

const filters: [show: string, words: string][] = [
  ["all", "All"],
  ["delivered", "Delivered"],
  ["pending", "On their way"],
  ["exhausted", "Given up"],
];

/** What was sent to an endpoint, the newest first, and each in full when asked for. */
export function Deliveries({ hookId }: { hookId: string }) {
  const { searchParams } = place.value;
  const asked = searchParams.get("show");
  const show = filters.find(([one]) => one === asked)?.[0] ?? "all";
  const page = pageIn(searchParams);
  const status = show === "all" ? "" : `&status=${show}`;
  const at = `webhooks/${hookId}/deliveries?page=${page}&pageSize=24${status}`;
  const log = useResource(at, () => askPublic<Log>(at));
  const shown = log.isCurrent || log.data?.data.length ? log.data : null;
  useLive(log.reload);
  const opened = searchParams.get("delivery");
  return (
    <section class="stack" aria-label="Deliveries">
      <Filters show={show} hookId={hookId} onReplayed={log.reload} />
      {log.fault && (
        <Fault
          what="The deliveries could not be read"
          why={log.fault}
          onRetry={log.reload}
        />
      )}
      {!shown && !log.fault && <Bones count={3} />}
      {shown && <Lines log={shown} page={page} show={show} />}
      {opened !== null && (
        <DeliveryShown
          at={`webhooks/${hookId}/deliveries/${opened}`}
          onChange={log.reload}
          onClose={() => setQuery({ delivery: "" })}
        />
      )}
    </section>
  );
}

interface FiltersProps {
  show: string;
  hookId: string;
  onReplayed: () => Promise<void>;
}

function Filters({ show, hookId, onReplayed }: FiltersProps) {
  const [isReplaying, setReplaying] = useState(false);
  return (
    <div class="section-head">
      <div>
        <h2>Deliveries</h2>
        <p class="muted small">They are kept for 30 days.</p>
      </div>
      <div class="row">
        <Choices
          legend="Which deliveries"
          options={filters}
          value={show}
          onChoose={(one) =>
            setQuery({ show: one === "all" ? "" : one, page: "" })
          }
        />
        {may("owner") && (
          <Button onPress={() => setReplaying(true)}>Send again…</Button>
        )}
      </div>
      {isReplaying && (
        <ReplaySpan
          id={hookId}
          onReplayed={onReplayed}
          onClose={() => setReplaying(false)}
        />
      )}
    </div>
  );
}

function Lines({ log, page, show }: { log: Log; page: number; show: string }) {
  const { total } = log.pagination;
  if (total === 0)
    return (
      <Empty
        icon="webhooks"
        title={show === "all" ? "Nothing was sent yet" : "No such deliveries"}
      >
        {show === "all" && (
          <p>What becomes of a batch's documents is told here.</p>
        )}
      </Empty>
    );
  return (
    <>
      <ul class="card lines">
        {log.data.map((one) => (
          <DeliveryLine one={one} key={one.id} />
        ))}
      </ul>
      <Pages page={page} total={total} what="deliveries" />
    </>
  );
}
