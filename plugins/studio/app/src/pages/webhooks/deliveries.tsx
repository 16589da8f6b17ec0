import { useState } from "preact/hooks";
import { useAction, FormEnd, Form } from "../../ui/form.js";
import { askPublic } from "../../api.js";
import { agoOf, countOf, momentOf, numberOf } from "../../format.js";
import { useLive, useResource } from "../../resource.js";
import { may } from "../../session.js";
import { place, setQuery } from "../../router.js";
import { Bones } from "../../ui/loading.js";
import { Button } from "../../ui/button.js";
import { Choices } from "../../ui/choices.js";
import { Dialog } from "../../ui/dialog.js";
import { Empty, Fault, Why } from "../../ui/notice.js";
import { pageIn, Pages } from "../../ui/pagination.js";
import { toast } from "../../ui/toast.js";
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

type Status = "held" | "pending" | "delivered" | "exhausted";

interface Delivery {
  id: string;
  type: string;
  status: Status;
  attemptCount: number;
  nextAttemptAt: string | null;
  lastStatus: number | null;
  lastError: string | null;
  createdAt: string;
}

const deliveryStates: Record<Status, [tone: string, said: string]> = {
  held: ["", "Waits for its batch"],
  pending: ["info busy", "On its way"],
  delivered: ["good", "Delivered"],
  exhausted: ["bad", "Given up"],
};

/** A message to an endpoint, and how it went. */
function DeliveryLine({ one }: { one: Delivery }) {
  return (
    <li class="line document">
      <div class="words">
        <strong>{one.type}</strong>
        <span class="muted small" title={momentOf(one.createdAt)}>
          {agoOf(one.createdAt)}, {countOf(one.attemptCount, "attempt")}
          {one.lastStatus !== null && `, answered ${one.lastStatus}`}
        </span>
      </div>
      <div class="row">
        <DeliveryState one={one} />
      </div>
      <div class="row files">
        <Button
          label={`Show ${one.type} of ${momentOf(one.createdAt)}`}
          onPress={() => setQuery({ delivery: one.id })}
        >
          Show
        </Button>
      </div>
      {one.lastError !== null && one.status !== "delivered" && (
        <Why error={one.lastError} />
      )}
    </li>
  );
}

function DeliveryState({ one }: { one: Delivery }) {
  const [tone, said] = deliveryStates[one.status];
  return (
    <span class={`badge ${tone}`}>
      <span class="dot" />
      {said}
    </span>
  );
}

interface DeliveryDetail extends Delivery {
  message: unknown;
  attempts: Attempt[];
}

interface DeliveryShownProps {
  /** Where the public API has it. */
  at: string;
  onChange: () => Promise<void>;
  onClose: () => void;
}

/** A delivery in full: what was sent, and what was answered each time. */
function DeliveryShown({ at, onChange, onClose }: DeliveryShownProps) {
  const delivery = useResource(at, () => askPublic<DeliveryDetail>(at));
  const { data, fault, reload } = delivery;
  const isOver = data?.status === "delivered" || data?.status === "exhausted";
  useLive(reload, data !== null && !isOver);
  const replay = async () => {
    await askPublic(`${at}/replay`, "POST");
    await Promise.all([reload(), onChange()]);
    toast("It is on its way again.");
  };
  return (
    <Dialog title={data?.type ?? "Delivery"} onClose={onClose}>
      {fault && (
        <Fault
          what="The delivery could not be read"
          why={fault}
          onRetry={reload}
        />
      )}
      {data && <Told delivery={data} />}
      <div class="dialog-end">
        {isOver && may("owner") && (
          <Button onPress={replay}>Send it again</Button>
        )}
        <Button kind="primary" onPress={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}

function Told({ delivery }: { delivery: DeliveryDetail }) {
  const { message, attempts, nextAttemptAt } = delivery;
  return (
    <div class="stack">
      <div class="row">
        <DeliveryState one={delivery} />
        {nextAttemptAt !== null && (
          <span class="muted small">
            Next attempt {momentOf(nextAttemptAt)}
          </span>
        )}
      </div>
      <section class="stack close" aria-label="The message">
        <h3>What is sent</h3>
        <pre class="told" tabIndex={0}>
          {JSON.stringify(message, null, 2)}
        </pre>
      </section>
      <section class="stack close" aria-label="Attempts">
        <h3>Attempts</h3>
        {attempts.length === 0 && <p class="muted">None yet.</p>}
        <ol class="stack close">
          {attempts.toReversed().map((attempt) => (
            <AttemptLine attempt={attempt} key={attempt.number} />
          ))}
        </ol>
      </section>
    </div>
  );
}

interface Attempt {
  number: number;
  url: string;
  outcome: "delivered" | "refused" | "unreachable";
  responseStatus: number | null;
  responseBody: string | null;
  error: string | null;
  durationMs: number;
  createdAt: string;
}

const attemptStates: Record<Attempt["outcome"], [tone: string, said: string]> =
  {
    delivered: ["good", "Delivered"],
    refused: ["bad", "Refused"],
    unreachable: ["bad", "Not reached"],
  };

/** One time that a message was sent, and what was answered. */
function AttemptLine({ attempt }: { attempt: Attempt }) {
  const { number, url, outcome, responseStatus, responseBody, error } = attempt;
  const [tone, said] = attemptStates[outcome];
  return (
    <li class="attempt">
      <div class="row">
        <span class={`badge ${tone}`}>{said}</span>
        {responseStatus !== null && <strong>{responseStatus}</strong>}
        <span class="muted small">
          No. {number}, {momentOf(attempt.createdAt)},{" "}
          {numberOf(attempt.durationMs)} ms
        </span>
      </div>
      <code class="muted small address">{url}</code>
      {error !== null && <p class="why">{error}</p>}
      {responseBody !== null && responseBody !== "" && (
        <pre class="told" tabIndex={0}>
          {responseBody}
        </pre>
      )}
    </li>
  );
}

interface ReplaySpanProps {
  /** The endpoint's. */
  id: string;
  onReplayed: () => Promise<void>;
  onClose: () => void;
}

type Which = "exhausted" | "delivered" | "all";

/** Times as their fields have them. */
interface Span {
  from: string;
  /** Empty: now. */
  until: string;
  status: Which;
}

const which: [Which, string][] = [
  ["exhausted", "Given up"],
  ["delivered", "Delivered"],
  ["all", "Both"],
];

const dayMs = 86_400_000;

/** Sends the messages of a time again, as after an outage of whoever receives them. */
function ReplaySpan({ id, onReplayed, onClose }: ReplaySpanProps) {
  const [span, setSpan] = useState<Span>(() => ({
    from: clockOf(Date.now() - dayMs),
    until: "",
    status: "exhausted",
  }));
  const { isBusy, fault, run } = useAction(async () => {
    const at = `webhooks/${id}/replay`;
    const { count } = await askPublic<{ count: number }>(
      at,
      "POST",
      bodyOf(span),
    );
    toast(`${countOf(count, "message")} on the way again.`);
    await onReplayed();
    onClose();
  });
  return (
    <Dialog title="Send messages again" onClose={onClose}>
      <Form onSend={run}>
        <SpanFields span={span} onChange={setSpan} />
        <FormEnd
          act="Send them again"
          fault={fault}
          isBusy={isBusy}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

/** As the public API takes it. */
function bodyOf({ from, until, status }: Span) {
  return {
    since: new Date(from).toISOString(),
    ...(until !== "" && { until: new Date(until).toISOString() }),
    ...(status !== "all" && { status }),
  };
}

interface SpanFieldsProps {
  span: Span;
  onChange: (span: Span) => void;
}

function SpanFields({ span, onChange }: SpanFieldsProps) {
  const { from, until, status } = span;
  return (
    <>
      <div class="moments">
        <Moment
          words="From"
          value={from}
          isRequired
          onChange={(value) => onChange({ ...span, from: value })}
        />
        <Moment
          words="To"
          hint="Empty: until now."
          value={until}
          onChange={(value) => onChange({ ...span, until: value })}
        />
      </div>
      <div class="field">
        <span class="label">Those that were</span>
        <Choices
          legend="Those that were"
          options={which}
          value={status}
          onChoose={(value) => onChange({ ...span, status: value })}
        />
      </div>
      <p class="muted small">
        Each keeps its id, so that a program that had it already can tell.
      </p>
    </>
  );
}

interface MomentProps {
  words: string;
  hint?: string;
  value: string;
  isRequired?: boolean;
  onChange: (value: string) => void;
}

function Moment(props: MomentProps) {
  const { words, hint, value, isRequired = false, onChange } = props;
  return (
    <label class="field">
      <span class="label">{words}</span>
      <input
        class="input"
        type="datetime-local"
        required={isRequired}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {hint !== undefined && <span class="hint">{hint}</span>}
    </label>
  );
}

/** As a field of date and time has it: by the person's clock, such as `2026-07-31T09:30`. */
function clockOf(time: number): string {
  const offsetMs = new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - offsetMs).toISOString().slice(0, 16);
}
