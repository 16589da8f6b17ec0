import { askPublic } from "../../api.js";
import { momentOf } from "../../format.js";
import { useLive } from "../../live.js";
import { may } from "../../me.js";
import { useResource } from "../../resource.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Fault } from "../../ui/notice.js";
import { toast } from "../../ui/toast.js";
import { type Attempt, AttemptLine } from "./attempt-line.js";
import { type Delivery, DeliveryState } from "./delivery-line.js";

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
export function DeliveryShown({ at, onChange, onClose }: DeliveryShownProps) {
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
