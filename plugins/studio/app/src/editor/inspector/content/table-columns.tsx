import type { ComponentOf } from "../../../../../../../core/plugin-api/definition.js";
import { LengthInput } from "../controls/length-field.js";
import { ListLines } from "./list-lines.js";

type Column = NonNullable<ComponentOf<"table">["columns"]>[number];

const aligns = [
  ["left", "Left"],
  ["center", "Centre"],
  ["right", "Right"],
] as const;

interface TableColumnsProps {
  id: string;
  columns: readonly Column[];
  onChange: (columns: Column[] | undefined) => void;
}

/** How wide the columns of a table are, and where their cells' words stand. */
export function TableColumns({ id, columns, onChange }: TableColumnsProps) {
  const change = (index: number, next: Column) =>
    onChange(columns.map((one, at) => (at === index ? next : one)));
  return (
    <ListLines
      label="Columns"
      noun="column"
      list={columns}
      make={(): Column => ({})}
      onChange={(next) => onChange(next.length === 0 ? undefined : next)}
      draw={(column, index) => (
        <>
          <LengthInput
            id={`${id}-width-${index}`}
            label={`Width of column ${index + 1}`}
            value={column.width}
            isRelative
            unit="%"
            placeholder="Shared"
            onChange={(width) => change(index, without({ ...column, width }))}
          />
          <AlignSelect
            label={`Alignment of column ${index + 1}`}
            value={column.align}
            onChange={(align) => change(index, without({ ...column, align }))}
          />
        </>
      )}
    />
  );
}

interface AlignSelectProps {
  label: string;
  value: Column["align"];
  onChange: (align: Column["align"]) => void;
}

function AlignSelect({ label, value, onChange }: AlignSelectProps) {
  return (
    <select
      class="input small"
      aria-label={label}
      value={value ?? ""}
      onChange={({ currentTarget }) =>
        onChange(aligns.find(([one]) => one === currentTarget.value)?.[0])
      }
    >
      <option value="">As text</option>
      {aligns.map(([one, words]) => (
        <option value={one} key={one}>
          {words}
        </option>
      ))}
    </select>
  );
}

/** Without what is not set. */
function without(column: Column): Column {
  const set = Object.entries(column).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set);
}
