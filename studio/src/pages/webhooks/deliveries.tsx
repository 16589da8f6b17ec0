import { useState } from "preact/hooks";
import { clock } from "../../../../core/lib/clock.js";
import { DateTimeField, LabeledChoices, Choices } from "../../ui/form.js";
import { askPublic, type Schemas } from "../../api.js";
import { agoOf, momentOf, toLocalDateTime } from "../../format.js";
import {
  askListPage,
  listShown,
  useLive,
  useResource,
} from "../../resource.js";
import { may } from "../../session.js";
import { place, setQuery } from "../../router.js";
import { Button } from "../../ui/button.js";
import { Dialog, FormDialog } from "../../ui/dialog.js";
import { Empty, ErrorDetails, Fault } from "../../ui/notice.js";
import { Badge, pageIn, PagedList } from "../../ui/list.js";
import { toast } from "../../ui/toast.js";
import { t } from "../../messages/index.js";

const filters: [show: string, words: string][] = [
  ["all", t("common.all")],
  ["delivered", t("webhooks.delivered")],
  ["pending", t("webhooks.pending")],
  ["exhausted", t("common.failed")],
];

/** Newest first. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const { searchParams } = place.value;
  const requestedStatus = searchParams.get("show");
  const show =
    filters.find(([status]) => status === requestedStatus)?.[0] ?? "all";
  const page = pageIn(searchParams);
  const status = show === "all" ? "" : `&status=${show}`;
  const at = `webhooks/${webhookId}/deliveries?page=${page}&pageSize=24${status}`;
  const deliveries = useResource(at, () => askListPage<Delivery>(at));
  useLive(`webhook:${webhookId}`, deliveries.reload);
  const openDelivery = searchParams.get("delivery");
  return (
    <section class="stack" aria-label={t("webhooks.deliveries")}>
      <Filters
        show={show}
        webhookId={webhookId}
        onReplayed={deliveries.reload}
      />
      <PagedList
        resource={{ ...deliveries, data: listShown(deliveries) }}
        what={t("webhooks.couldntLoadDeliveries")}
        count={3}
        empty={
          show === "all" ? (
            <Empty icon="webhooks" title={t("webhooks.noDeliveriesYet")}>
              <p>{t("webhooks.noDeliveriesHelp")}</p>
            </Empty>
          ) : (
            <Empty icon="webhooks" title={t("webhooks.noMatchingDeliveries")} />
          )
        }
      >
        {(delivery) => <DeliveryRow delivery={delivery} key={delivery.id} />}
      </PagedList>
      {openDelivery !== null && (
        <DeliveryDialog
          at={`webhooks/${webhookId}/deliveries/${openDelivery}`}
          onChange={deliveries.reload}
          onClose={() => setQuery({ delivery: "" })}
        />
      )}
    </section>
  );
}

interface FiltersProps {
  show: string;
  webhookId: string;
  onReplayed: () => Promise<void>;
}

function Filters({ show, webhookId, onReplayed }: FiltersProps) {
  return (
    <div class="section-head">
      <div>
        <h2>{t("webhooks.deliveries")}</h2>
        <p class="muted small">{t("webhooks.deliveriesAreKeptFor30")}</p>
      </div>
      <div class="row">
        <Choices
          legend={t("webhooks.filterDeliveries")}
          options={filters}
          value={show}
          onChoose={(next) =>
            setQuery({ show: next === "all" ? "" : next, page: "" })
          }
        />
        {may("owner") && (
          <Button
            dialog={(close) => (
              <ReplayDialog
                id={webhookId}
                onReplayed={onReplayed}
                onClose={close}
              />
            )}
          >
            {t("webhooks.resendMany")}
          </Button>
        )}
      </div>
    </div>
  );
}

type Status = "held" | "pending" | "delivered" | "exhausted";

type Delivery = Schemas["WebhookDelivery"];

const deliveryStates: Record<Status, [tone: string, said: string]> = {
  held: ["", t("webhooks.waitingForItsBatch")],
  pending: ["info busy", t("webhooks.pending")],
  delivered: ["good", t("webhooks.delivered")],
  exhausted: ["bad", t("common.failed")],
};

function describeAttempts(delivery: Delivery): string {
  const { attemptCount: count, lastStatus } = delivery;
  const ago = agoOf(delivery.createdAt);
  return lastStatus === null
    ? t("webhooks.attemptsSoFar", { ago, count })
    : t("webhooks.attemptsWithStatus", { ago, count, lastStatus });
}

function DeliveryRow({ delivery }: { delivery: Delivery }) {
  return (
    <li class="line document">
      <div class="words">
        <strong>{delivery.type}</strong>
        <span class="muted small" title={momentOf(delivery.createdAt)}>
          {describeAttempts(delivery)}
        </span>
      </div>
      <div class="row">
        <DeliveryState delivery={delivery} />
      </div>
      <div class="row files">
        <Button
          label={t("webhooks.showTypeOfTime", {
            type: delivery.type,
            time: momentOf(delivery.createdAt),
          })}
          onPress={() => setQuery({ delivery: delivery.id })}
        >
          {t("common.show")}
        </Button>
      </div>
      {delivery.lastError !== null && delivery.status !== "delivered" && (
        <ErrorDetails error={delivery.lastError} />
      )}
    </li>
  );
}

function DeliveryState({ delivery }: { delivery: Delivery }) {
  const [tone, said] = deliveryStates[delivery.status];
  return <Badge tone={tone}>{said}</Badge>;
}

interface DeliveryDetail extends Delivery {
  message: unknown;
  attempts: Attempt[];
}

interface DeliveryDialogProps {
  /** Path in the public API. */
  at: string;
  onChange: () => Promise<void>;
  onClose: () => void;
}

function DeliveryDialog({ at, onChange, onClose }: DeliveryDialogProps) {
  const delivery = useResource(at, () => askPublic<DeliveryDetail>(at));
  const { data, fault, reload } = delivery;
  const isFinished =
    data?.status === "delivered" || data?.status === "exhausted";
  const [, webhookId = ""] = at.split("/");
  useLive(`webhook:${webhookId}`, reload, data !== null && !isFinished);
  const replay = async () => {
    await askPublic(`${at}/replay`, "POST");
    await Promise.all([reload(), onChange()]);
    toast(t("webhooks.resendingMessage"));
  };
  return (
    <Dialog title={data?.type ?? t("webhooks.delivery")} onClose={onClose}>
      {fault && (
        <Fault
          what={t("webhooks.couldntLoadDelivery")}
          why={fault}
          onRetry={reload}
        />
      )}
      {data && <DeliveryContent delivery={data} />}
      <div class="dialog-end">
        {isFinished && may("owner") && (
          <Button onPress={replay}>{t("webhooks.resendNow")}</Button>
        )}
        <Button kind="primary" onPress={onClose}>
          {t("common.close")}
        </Button>
      </div>
    </Dialog>
  );
}

function DeliveryContent({ delivery }: { delivery: DeliveryDetail }) {
  const { message, attempts, nextAttemptAt } = delivery;
  return (
    <div class="stack">
      <div class="row">
        <DeliveryState delivery={delivery} />
        {nextAttemptAt !== null && (
          <span class="muted small">
            {t("webhooks.nextAttemptTime", { time: momentOf(nextAttemptAt) })}
          </span>
        )}
      </div>
      <section class="stack close" aria-label={t("common.message")}>
        <h3>{t("common.message")}</h3>
        <pre class="told" tabIndex={0}>
          {JSON.stringify(message, null, 2)}
        </pre>
      </section>
      <section class="stack close" aria-label={t("webhooks.attempts")}>
        <h3>{t("webhooks.attempts")}</h3>
        {attempts.length === 0 && <p class="muted">{t("webhooks.noneYet")}</p>}
        <ol class="stack close">
          {attempts.toReversed().map((attempt) => (
            <AttemptRow attempt={attempt} key={attempt.number} />
          ))}
        </ol>
      </section>
    </div>
  );
}

type Attempt = Schemas["WebhookAttempt"];

const attemptStates: Record<Attempt["outcome"], [tone: string, said: string]> =
  {
    delivered: ["good", t("webhooks.delivered")],
    refused: ["bad", t("webhooks.rejected")],
    unreachable: ["bad", t("webhooks.unreachable")],
  };

function AttemptRow({ attempt }: { attempt: Attempt }) {
  const { number, url, outcome, responseStatus, responseBody, error } = attempt;
  const [tone, said] = attemptStates[outcome];
  return (
    <li class="attempt">
      <div class="row">
        <span class={`badge ${tone}`}>{said}</span>
        {responseStatus !== null && <strong>{responseStatus}</strong>}
        <span class="muted small">
          {t("webhooks.attempt", {
            number,
            time: momentOf(attempt.createdAt),
            durationMs: attempt.durationMs,
          })}
        </span>
      </div>
      <code class="muted small address">{url}</code>
      {error !== null && <p class="why">{error}</p>}
      {responseBody === null && responseStatus !== null && (
        <p class="muted small">{t("webhooks.bodyNotStored")}</p>
      )}
      {responseBody !== null && responseBody !== "" && (
        <pre class="told" tabIndex={0}>
          {responseBody}
        </pre>
      )}
    </li>
  );
}

interface ReplayDialogProps {
  /** The endpoint's. */
  id: string;
  onReplayed: () => Promise<void>;
  onClose: () => void;
}

type StatusFilter = "exhausted" | "delivered" | "all";

/** Times are as `datetime-local` inputs hold them. */
interface TimeRange {
  from: string;
  /** Empty means now. */
  until: string;
  status: StatusFilter;
}

const statusFilters: [StatusFilter, string][] = [
  ["exhausted", t("common.failed")],
  ["delivered", t("webhooks.delivered")],
  ["all", t("draft.both")],
];

const dayMs = 86_400_000;

/** Resends the messages of a period, for example after the receiver had an outage. */
function ReplayDialog({ id, onReplayed, onClose }: ReplayDialogProps) {
  const [range, setRange] = useState<TimeRange>(() => ({
    from: toLocalDateTime(clock.now() - dayMs),
    until: "",
    status: "exhausted",
  }));
  const replay = async () => {
    const { count } = await askPublic<{ count: number }>(
      `webhooks/${id}/replay`,
      "POST",
      toRequestBody(range),
    );
    toast(t("webhooks.resendingMessages", { count }));
    await onReplayed();
    onClose();
  };
  return (
    <FormDialog
      title={t("webhooks.resendMessages")}
      act={t("webhooks.resendNow")}
      onSend={replay}
      onClose={onClose}
    >
      <TimeRangeFields range={range} onChange={setRange} />
    </FormDialog>
  );
}

function toRequestBody({ from, until, status }: TimeRange) {
  return {
    since: new Date(from).toISOString(),
    ...(until !== "" && { until: new Date(until).toISOString() }),
    ...(status !== "all" && { status }),
  };
}

interface TimeRangeFieldsProps {
  range: TimeRange;
  onChange: (range: TimeRange) => void;
}

function TimeRangeFields({ range, onChange }: TimeRangeFieldsProps) {
  const { from, until, status } = range;
  return (
    <>
      <div class="moments">
        <DateTimeField
          words={t("webhooks.from")}
          value={from}
          isRequired
          onChange={(value) => onChange({ ...range, from: value })}
        />
        <DateTimeField
          words={t("webhooks.to")}
          hint={t("webhooks.leaveEmptyForNow")}
          value={until}
          onChange={(value) => onChange({ ...range, until: value })}
        />
      </div>
      <LabeledChoices
        label={t("webhooks.status")}
        options={statusFilters}
        value={status}
        onChoose={(value) => onChange({ ...range, status: value })}
      />
      <p class="muted small">{t("webhooks.resendHelp")}</p>
    </>
  );
}
