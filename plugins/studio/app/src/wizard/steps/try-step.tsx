import { useState } from "preact/hooks";
import type {
  OpenedTable,
  TableRecord,
} from "../../../../../../core/plugin-api/app-wizard.js";
import { useAction } from "../../action.js";
import { askPublic } from "../../api.js";
import { Link } from "../../link.js";
import { useResource } from "../../resource.js";
import { Button } from "../../ui/button.js";
import type { Choice } from "../choice.js";
import { Loaded } from "../loaded.js";
import { Misfit } from "../misfit.js";
import { readTable } from "../place-query.js";
import { RecordChoice } from "../record-choice.js";
import { recordsOrder } from "../records-order.js";
import { StepEnd } from "../step-end.js";
import { TryProgress } from "../try-progress.js";

/** A record is chosen, its document made, and its file looked for in the cell. */
export function TryStep({ choice }: { choice: Choice }) {
  const table = useResource(choice.table, () => readTable(choice));
  return (
    <div class="stack wide-gap">
      <Loaded
        resource={table}
        what="The table could not be read"
        mend="table"
        choice={choice}
      >
        {(data) => <Trial table={data} choice={choice} />}
      </Loaded>
      <StepEnd step="try" choice={choice}>
        <Link class="button" to="batches">
          To the batches
        </Link>
      </StepEnd>
    </div>
  );
}

interface TrialProps {
  table: OpenedTable;
  choice: Choice;
}

function Trial({ table, choice }: TrialProps) {
  const [record, setRecord] = useState<TableRecord | null>(null);
  return (
    <>
      <RecordChoice
        table={table}
        choice={choice}
        record={record}
        onChoose={setRecord}
      />
      {record && (
        <OneRecord
          record={record}
          table={table}
          choice={choice}
          key={record.id}
        />
      )}
    </>
  );
}

interface OneRecordProps extends TrialProps {
  record: TableRecord;
}

function OneRecord({ record, table, choice }: OneRecordProps) {
  const [batchId, setBatchId] = useState<string | null>(null);
  const { isBusy, fault, run } = useAction(async () => {
    const at = `export/batch/${table.platform.id}`;
    const order = { ...recordsOrder(choice), recordIds: [record.id] };
    const made = await askPublic<{ batchId: string }>(at, "POST", order);
    setBatchId(made.batchId);
  });
  if (batchId !== null)
    return (
      <TryProgress
        {...{ batchId, record, table, choice }}
        onAgain={() => setBatchId(null)}
      />
    );
  return (
    <div class="stack">
      {fault !== null && (
        <Misfit title="Nothing was made" why={fault} choice={choice} />
      )}
      <div>
        <Button kind="primary" isBusy={isBusy} onPress={run}>
          Make the document of “{record.name}”
        </Button>
      </div>
    </div>
  );
}
