import type {
  FieldInfo,
  TableInfo,
} from "../../../../../core/plugin-api/platform-plugin.js";
import { countOf } from "../format.js";
import { Icon } from "../ui/icon.js";
import { kindIcon, kindWords } from "./kind-words.js";
import { Pick } from "./pick.js";

interface TablePickProps {
  table: TableInfo;
  tables: TableInfo[];
  isChosen: boolean;
  onPick: () => void;
}

const mostShown = 12;

/** A table with its fields: what each holds, and where links lead. */
export function TablePick({ table, tables, isChosen, onPick }: TablePickProps) {
  const { name, fields } = table;
  const more = fields.length - mostShown;
  return (
    <section class="card table-pick" aria-label={name}>
      <Pick title={name} isChosen={isChosen} onPick={onPick}>
        <span class="muted small">{countOf(fields.length, "field")}</span>
      </Pick>
      <ul class="chips" aria-label={`Fields of ${name}`}>
        {fields.slice(0, mostShown).map((field) => (
          <FieldChip field={field} tables={tables} key={field.id} />
        ))}
        {more > 0 && <li class="small muted">and {more} more</li>}
      </ul>
    </section>
  );
}

function FieldChip({
  field,
  tables,
}: {
  field: FieldInfo;
  tables: TableInfo[];
}) {
  const to = tables.find(({ id }) => id === field.link?.tableId);
  return (
    <li class="field-chip" title={kindWords[field.kind]}>
      <Icon name={kindIcon[field.kind]} size={14} />
      <span class="hidden-text">{kindWords[field.kind]}: </span>
      {field.name}
      {to && <span class="muted">→ {to.name}</span>}
    </li>
  );
}
