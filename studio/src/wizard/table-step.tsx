import { useState } from "preact/hooks";
import type {
  FieldInfo,
  TableInfo,
} from "../../../core/plugin-api/platform-plugin.js";
import { askPublic } from "../api.js";
import { useResource } from "../resource.js";
import { LabeledSelect } from "../ui/select.js";
import { Icon } from "../ui/icon.js";
import { Empty } from "../ui/notice.js";
import { SearchField } from "../ui/form.js";
import { StepContent, OptionButton, StepActions } from "./components.js";
import { type Choice, keep, proceed, kindIcons, kindLabels } from "./steps.js";
import { t } from "../messages/index.js";

interface Base {
  id: string;
  name: string;
}

export function TableStep({ choice }: { choice: Choice }) {
  const { connection } = choice;
  const bases = useResource(connection, () =>
    askPublic<{ data: Base[] }>(`connections/${connection}/bases`),
  );
  return (
    <div class="stack">
      <StepContent
        resource={bases}
        what={t("wizard.couldntLoadYourBases")}
        fixStep="connect"
        choice={choice}
      >
        {({ data }) => <InBase bases={data} choice={choice} />}
      </StepContent>
      <StepActions step="table" choice={choice} />
    </div>
  );
}

function InBase({ bases, choice }: { bases: Base[]; choice: Choice }) {
  const [only] = bases.length > 1 ? [] : bases;
  const base = choice.base || (only?.id ?? "");
  return (
    <>
      {bases.length > 1 && <BaseChoice bases={bases} base={base} />}
      {(base !== "" || bases.length === 0) && (
        <Tables choice={{ ...choice, base }} key={base} />
      )}
    </>
  );
}

function BaseChoice({ bases, base }: { bases: Base[]; base: string }) {
  return (
    <div class="base-choice">
      <LabeledSelect
        label={t("common.base")}
        value={base}
        options={bases.map(({ id, name }) => [id, name])}
        none={base === "" ? t("common.choose") : undefined}
        onChange={(id = "") => keep("table", { base: id })}
      />
    </div>
  );
}

function Tables({ choice }: { choice: Choice }) {
  const { connection, base } = choice;
  const query = base === "" ? "" : `?baseId=${encodeURIComponent(base)}`;
  const at = `connections/${connection}/tables${query}`;
  const tables = useResource(at, () => askPublic<{ data: TableInfo[] }>(at));
  return (
    <StepContent
      resource={tables}
      what={t("fields.couldntLoadTables")}
      fixStep="connect"
      choice={choice}
    >
      {({ data }) => <FoundTables tables={data} choice={choice} />}
    </StepContent>
  );
}

interface FoundTablesProps {
  tables: TableInfo[];
  choice: Choice;
}

function FoundTables({ tables, choice }: FoundTablesProps) {
  const { base } = choice;
  const [search, setSearch] = useState("");
  const matching = tables.filter((table) => isFound(table, search));
  return (
    <>
      <SearchField
        words={t("wizard.searchTablesAndFields")}
        value={search}
        onSearch={setSearch}
      />
      {matching.length === 0 && <NoTable isSearch={search !== ""} />}
      <ul class="stack close" aria-label={t("wizard.tables")}>
        {matching.map((table) => (
          <li key={table.id}>
            <TablePick
              table={table}
              tables={tables}
              isChosen={table.id === choice.table}
              onPick={() => proceed("template", { base, table: table.id })}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function isFound({ name, fields }: TableInfo, search: string): boolean {
  return has(name, search) || fields.some((field) => has(field.name, search));
}

function has(name: string, search: string): boolean {
  return name.toLowerCase().includes(search.trim().toLowerCase());
}

function NoTable({ isSearch }: { isSearch: boolean }) {
  return isSearch ? (
    <Empty icon="search" title={t("common.noMatches")}>
      <p>{t("common.youCanSearchForPart")}</p>
    </Empty>
  ) : (
    <Empty icon="table" title={t("wizard.noTablesFound")}>
      <p>{t("wizard.noTablesHelp")}</p>
    </Empty>
  );
}

interface TablePickProps {
  table: TableInfo;
  tables: TableInfo[];
  isChosen: boolean;
  onPick: () => void;
}

const maxShown = 12;

function TablePick({ table, tables, isChosen, onPick }: TablePickProps) {
  const { name, fields } = table;
  const more = fields.length - maxShown;
  return (
    <section class="card table-pick" aria-label={name}>
      <OptionButton title={name} isChosen={isChosen} onPick={onPick}>
        <span class="muted small">
          {t("wizard.countFields", { count: fields.length })}
        </span>
      </OptionButton>
      <ul class="chips" aria-label={t("wizard.fieldsOfName", { name })}>
        {fields.slice(0, maxShown).map((field) => (
          <FieldChip field={field} tables={tables} key={field.id} />
        ))}
        {more > 0 && (
          <li class="small muted">{t("wizard.andMoreMore", { more })}</li>
        )}
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
    <li class="field-chip" title={kindLabels[field.kind]}>
      <Icon name={kindIcons[field.kind]} size={14} />
      <span class="hidden-text">{kindLabels[field.kind]}: </span>
      {field.name}
      {to && <span class="muted">→ {to.name}</span>}
    </li>
  );
}
