import { useState } from "preact/hooks";
import { askPublic, publicAddress } from "../../api.js";
import { countOf } from "../../format.js";
import { may } from "../../me.js";
import { go, whereNow } from "../../router.js";
import { AskFirst } from "../../ui/ask-first.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { toast } from "../../ui/toast.js";
import type { OpenedBatch } from "./batch.js";

interface BatchActionsProps {
  batch: OpenedBatch;
  onChange: () => Promise<void>;
}

/** What can be done about a batch, by whom it may be done. */
export function BatchActions({ batch, onChange }: BatchActionsProps) {
  const [isEnding, setEnding] = useState(false);
  const { id, status, cancelledAt, counts } = batch;
  const at = `batches/${id}`;
  const isOver = status === "completed";
  const retry = async () => {
    const isHere = whereNow();
    const next = await askPublic<{ batchId: string }>(`${at}/retry`, "POST");
    if (isHere()) go(`batches/${next.batchId}`);
    toast("A new batch was made of what failed.");
  };
  return (
    <>
      {may("editor") && !isOver && cancelledAt === null && (
        <Button onPress={() => setEnding(true)}>Cancel the batch</Button>
      )}
      {may("editor") && isOver && counts.failed > 0 && (
        <Button onPress={retry}>Retry what failed</Button>
      )}
      {counts.succeeded > 0 && (
        <a class="button" href={publicAddress(`${at}/archive`)} download>
          <Icon name="download" />
          Download all
        </a>
      )}
      {isEnding && (
        <CancelBatch
          batch={batch}
          onChange={onChange}
          onClose={() => setEnding(false)}
        />
      )}
    </>
  );
}

function CancelBatch({
  batch: { id, counts },
  onChange,
  onClose,
}: BatchActionsProps & { onClose: () => void }) {
  const cancel = async () => {
    await askPublic(`batches/${id}/cancel`, "POST");
    await onChange();
  };
  return (
    <AskFirst
      title="Cancel the batch?"
      act="Cancel the batch"
      keep="Let it run"
      onAct={cancel}
      onClose={onClose}
    >
      <p>
        What waits is not made: {countOf(counts.queued, "document")}. What is
        being made is finished, and what is there stays.
      </p>
    </AskFirst>
  );
}
