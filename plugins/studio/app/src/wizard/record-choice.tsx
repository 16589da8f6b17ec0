import { useState } from "preact/hooks";
import type {
  OpenedTable,
  TableRecord,
} from "../../../../../core/plugin-api/app-wizard.js";
import { useResource } from "../resource.js";
import { Bones } from "../ui/bones.js";
import { Button } from "../ui/button.js";
import { Form } from "../ui/form.js";
import { Fault } from "../ui/notice.js";
import type { Choice } from "./choice.js";
import { FocusedHeading } from "./focused-heading.js";
import { Pick } from "./pick.js";
import { findRecords } from "./place-query.js";
import { SearchField } from "../ui/search-field.js";
import { useSettled } from "./settled.js";

interface RecordChoiceProps {
  table: OpenedTable;
  choice: Choice;
  record: TableRecord | null;
  onChoose: (record: TableRecord | null) => void;
}

/** A record by the field by which people know it; by its id where the platform cannot look for records. */
export function RecordChoice(props: RecordChoiceProps) {
  const { table, choice, record, onChoose } = props;
  const [search, setSearch] = useState("");
  const text = useSettled(search);
  const { data, fault, isCurrent, reload } = useResource(text, async () => ({
    records: await findRecords(choice, text),
  }));
  const field = table.fields.find(({ id }) => id === table.primaryFieldId);
  if (record) return <Chosen record={record} onBack={() => onChoose(null)} />;
  if (data?.records === null) return <ById onChoose={onChoose} />;
  return (
    <section class="stack close" aria-labelledby="record">
      <h2 id="record">Choose a record of “{table.name}”</h2>
      <SearchField
        words={`Search by ${field?.name ?? "name"}`}
        value={search}
        onSearch={setSearch}
      />
      {fault !== null && (
        <Fault
          what="The records could not be read"
          why={fault}
          onRetry={reload}
        />
      )}
      {!data && fault === null && <Bones count={4} />}
      {data?.records.length === 0 && isCurrent && text === search && (
        <p class="muted small" role="status">
          {text === "" ? "The table has no record yet." : "No record fits."}
        </p>
      )}
      {data && data.records.length > 0 && (
        <Records records={data.records} onChoose={onChoose} />
      )}
    </section>
  );
}

interface RecordsProps {
  records: readonly TableRecord[];
  onChoose: (record: TableRecord) => void;
}

function Records({ records, onChoose }: RecordsProps) {
  return (
    <ul class="card picks" aria-label="Records">
      {records.map((one) => (
        <li key={one.id}>
          <Pick title={one.name} onPick={() => onChoose(one)} />
        </li>
      ))}
    </ul>
  );
}

interface ChosenProps {
  record: TableRecord;
  onBack: () => void;
}

function Chosen({ record, onBack }: ChosenProps) {
  return (
    <div class="card chosen-record">
      <span class="words">
        <span class="muted small">Record</span>
        <FocusedHeading id="record">{record.name}</FocusedHeading>
      </span>
      <Button onPress={onBack}>Choose another</Button>
    </div>
  );
}

function ById({ onChoose }: Pick<RecordChoiceProps, "onChoose">) {
  const [id, setId] = useState("");
  return (
    <Form
      class="card padded stack"
      onSend={async () => onChoose({ id, name: id })}
    >
      <div class="field">
        <label for="record-id">Id of the record</label>
        <input
          id="record-id"
          class="input"
          required
          autocomplete="off"
          value={id}
          onInput={(event) => setId(event.currentTarget.value.trim())}
        />
        <span class="hint">
          This platform cannot be searched. It shows the id of each record.
        </span>
      </div>
      <div>
        <Button type="submit">Use this record</Button>
      </div>
    </Form>
  );
}
