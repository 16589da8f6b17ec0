import { useId } from "preact/hooks";
import type { OpenedTable } from "../../../../../core/plugin-api/app-wizard.js";
import { Button } from "../ui/button.js";
import { Notice } from "../ui/notice.js";
import { NOWHERE } from "./choice.js";

interface FileFieldChoiceProps {
  table: OpenedTable;
  field: string;
  onChoose: (field: string) => void;
  onReload: () => Promise<void>;
}

/** Only fields that take files, and a way without one. */
export function FileFieldChoice(props: FileFieldChoiceProps) {
  const { table, field, onChoose, onReload } = props;
  const name = useId();
  const fields = table.fields.filter(({ id }) =>
    table.fileFieldIds.includes(id),
  );
  const entry = (value: string, words: string, hint: string) => (
    <label class="radio-line" key={value}>
      <input
        type="radio"
        name={name}
        value={value}
        checked={field === value}
        onChange={() => onChoose(value)}
      />
      <span class="words">
        <span class="strong">{words}</span>
        <span class="muted small">{hint}</span>
      </span>
    </label>
  );
  return (
    <>
      {fields.length === 0 && <NoField table={table} onReload={onReload} />}
      <fieldset class="card radio-lines">
        <legend class="hidden-text">Where the file goes</legend>
        {fields.map(({ id, name: words }) =>
          entry(id, words, `In the table ${table.name}`),
        )}
        {entry(
          NOWHERE,
          "Into no field",
          "Whoever presses the button downloads it from the page that opens.",
        )}
      </fieldset>
    </>
  );
}

const howToAdd: Record<string, string> = {
  airtable:
    "In Airtable, add a field of the type Attachment to the table, then look again.",
  nocodb:
    "In NocoDB, add a field of the type Attachment to the table, then look again.",
  "google-sheets":
    "In the sheet, add a column called “PDF” or “Document”, then look again.",
  sql: "The connection has to allow writing (“writable”), and the table needs a column for bytes, or one that the connection names for links.",
};

function NoField({
  table,
  onReload,
}: Pick<FileFieldChoiceProps, "table" | "onReload">) {
  return (
    <Notice tone="warn" title={`“${table.name}” has no field for files yet`}>
      <p>
        {howToAdd[table.platform.id] ??
          "Add a field that takes files to the table, then look again."}
      </p>
      <Button onPress={onReload}>Look again</Button>
    </Notice>
  );
}
