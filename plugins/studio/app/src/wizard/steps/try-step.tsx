import { useState } from "preact/hooks";
import type { TableRecord } from "../../../../../../core/contract/app-wizard.js";
import { useAction } from "../../action.js";
import { askPublic } from "../../api.js";
import { Link } from "../../link.js";
import { useResource } from "../../resource.js";
import { Bones } from "../../ui/bones.js";
import { Button } from "../../ui/button.js";
import type { Choice } from "../choice.js";
import { Misfit } from "../misfit.js";
import { readTable } from "../place-query.js";
import { RecordChoice } from "../record-choice.js";
import { recordsOrder } from "../records-order.js";
import { Refused } from "../refused.js";
import { StepEnd } from "../step-end.js";
import { TryProgress } from "../try-progress.js";

/** A record is chosen, its document made, and its file looked for in the cell. */
export function TryStep({ choice }: { choice: Choice }) {
  const [record, setRecord] = useState<TableRecord | null>(null);
  const [batch, setBatch] = useState<string | null>(null);
  const { data, fault, reload } = useResource(choice.table, () =>
    readTable(choice),
  );
  const {
    isBusy,
    fault: refusal,
    run,
  } = useAction(async () => {
    if (!record || !data) return;
    const at = `export/batch/${data.platform.id}`;
    const order = { ...recordsOrder(choice), recordIds: [record.id] };
    const made = await askPublic<{ batchId: string }>(at, "POST", order);
    setBatch(made.batchId);
  });
  const choose = (one: TableRecord | null) => {
    setRecord(one);
    setBatch(null);
  };
  return (
    <div class="stack wide-gap">
      {fault !== null && (
        <Refused
          what="The table could not be read"
          why={fault}
          mend="table"
          choice={choice}
          onRetry={reload}
        />
      )}
      {!data && fault === null && <Bones count={4} />}
      {data && (
        <RecordChoice
          table={data}
          choice={choice}
          record={record}
          onChoose={choose}
        />
      )}
      {record && data && batch === null && (
        <div class="stack">
          {refusal !== null && (
            <Misfit title="Nothing was made" why={refusal} choice={choice} />
          )}
          <div>
            <Button kind="primary" isBusy={isBusy} onPress={run}>
              Make the document of “{record.name}”
            </Button>
          </div>
        </div>
      )}
      {batch !== null && data && record && (
        <TryProgress
          batchId={batch}
          record={record}
          table={data}
          choice={choice}
          onAgain={() => setBatch(null)}
        />
      )}
      <StepEnd step="try" choice={choice}>
        <Link class="button" to="batches">
          To the batches
        </Link>
      </StepEnd>
    </div>
  );
}
