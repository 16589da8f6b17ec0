import { useState } from "preact/hooks";
import type { TableInfo } from "../../../../../../core/contract/platform-plugin.js";
import { askPublic } from "../../api.js";
import { useResource } from "../../resource.js";
import { Bones } from "../../ui/bones.js";
import { Empty } from "../../ui/notice.js";
import { type Choice, keep, proceed } from "../choice.js";
import { Refused } from "../refused.js";
import { SearchField } from "../search-field.js";
import { StepEnd } from "../step-end.js";
import { TablePick } from "../table-pick.js";

interface Base {
  id: string;
  name: string;
}

/** The bases of the connection, and the tables of one of them. */
export function TableStep({ choice }: { choice: Choice }) {
  const { connection } = choice;
  const { data, fault, reload } = useResource(connection, () =>
    askPublic<{ data: Base[] }>(`connections/${connection}/bases`),
  );
  const bases = data?.data ?? [];
  const base = choice.base || (bases[0]?.id ?? "");
  return (
    <div class="stack">
      {fault !== null && (
        <Refused
          what="Your bases could not be read"
          why={fault}
          mend="connect"
          {...{ choice }}
          onRetry={reload}
        />
      )}
      {!data && fault === null && <Bones count={4} />}
      {bases.length > 1 && <BaseChoice bases={bases} base={base} />}
      {data && <Tables choice={{ ...choice, base }} key={base} />}
      <StepEnd step="table" choice={choice} />
    </div>
  );
}

function BaseChoice({ bases, base }: { bases: Base[]; base: string }) {
  return (
    <div class="field base-choice">
      <label for="base">Base</label>
      <select
        id="base"
        class="input"
        value={base}
        onInput={(event) => keep("table", { base: event.currentTarget.value })}
      >
        {bases.map(({ id, name }) => (
          <option value={id} key={id}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

function Tables({ choice }: { choice: Choice }) {
  const { connection, base } = choice;
  const [search, setSearch] = useState("");
  const query = base === "" ? "" : `?baseId=${encodeURIComponent(base)}`;
  const at = `connections/${connection}/tables${query}`;
  const { data, fault, reload } = useResource(at, () =>
    askPublic<{ data: TableInfo[] }>(at),
  );
  if (!data && fault === null) return <Bones count={4} />;
  if (!data)
    return (
      <Refused
        what="The tables could not be read"
        why={fault ?? ""}
        mend="connect"
        {...{ choice }}
        onRetry={reload}
      />
    );
  const shown = data.data.filter(
    ({ name, fields }) =>
      has(name, search) || fields.some((field) => has(field.name, search)),
  );
  return (
    <>
      <SearchField
        label="Search tables and fields"
        value={search}
        onInput={setSearch}
      />
      {shown.length === 0 && <NoTable isSearch={search !== ""} />}
      <ul class="stack close" aria-label="Tables">
        {shown.map((table) => (
          <li key={table.id}>
            <TablePick
              table={table}
              tables={data.data}
              isChosen={table.id === choice.table}
              onPick={() => proceed("template", { base, table: table.id })}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function has(name: string, search: string): boolean {
  return name.toLowerCase().includes(search.trim().toLowerCase());
}

function NoTable({ isSearch }: { isSearch: boolean }) {
  return isSearch ? (
    <Empty icon="search" title="No table or field is called so">
      <p>Part of a name is enough; upper and lower case are the same.</p>
    </Empty>
  ) : (
    <Empty icon="table" title="There is no table here">
      <p>Give the connection access to a base that holds your records.</p>
    </Empty>
  );
}
