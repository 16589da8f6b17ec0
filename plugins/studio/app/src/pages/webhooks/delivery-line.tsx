import { agoOf, countOf, momentOf } from "../../format.js";
import { setQuery } from "../../router.js";
import { Button } from "../../ui/button.js";
import { Why } from "../../ui/why.js";

type Status = "held" | "pending" | "delivered" | "exhausted";

export interface Delivery {
  id: string;
  type: string;
  status: Status;
  attemptCount: number;
  nextAttemptAt: string | null;
  lastStatus: number | null;
  lastError: string | null;
  createdAt: string;
}

const words: Record<Status, [tone: string, said: string]> = {
  held: ["", "Waits for its batch"],
  pending: ["info busy", "On its way"],
  delivered: ["good", "Delivered"],
  exhausted: ["bad", "Given up"],
};

/** A message to an endpoint, and how it went. */
export function DeliveryLine({ one }: { one: Delivery }) {
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

export function DeliveryState({ one }: { one: Delivery }) {
  const [tone, said] = words[one.status];
  return (
    <span class={`badge ${tone}`}>
      <span class="dot" />
      {said}
    </span>
  );
}
