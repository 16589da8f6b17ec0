import { useState, useId } from "preact/hooks";
import type {
  Field,
  ProjectData,
} from "../../../../../../core/plugin-api/definition.js";
import { askPublic, ask } from "../../api.js";
import { useResource } from "../../resource.js";
import { Skeleton } from "../../ui/loading.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Icon } from "../../ui/icon.js";
import { Fault } from "../../ui/notice.js";
import { toast } from "../../ui/toast.js";
import { useEditor } from "../model/editor-context.js";
import type { Editor } from "../model/editor.js";
import { fieldIcons, getFieldLabel, getRoot } from "./schema-edits.js";
import { mergeTable } from "./schema-import.js";
import { t } from "../../messages/index.js";

interface Named {
  id: string;
  name: string;
}
interface Saved extends Named {
  kind: "platform" | "esign";
}

/** Imports the fields of a connection's table. */
export function TableDialog({ onClose }: { onClose: () => void }) {
  const [place, setPlace] = useState<TableChoiceState>(noTable);
  return (
    <Dialog title={t("fields.importFieldsFromTable")} onClose={onClose}>
      <div class="sample">
        <p class="data-hint">{t("fields.importHelp")}</p>
        <ConnectionChoice
          chosen={place.connectionId}
          onChoose={(connectionId) => setPlace({ ...noTable, connectionId })}
        />
        {place.connectionId !== "" && (
          <Tables place={place} onChoose={setPlace} />
        )}
      </div>
      <ImportFields
        place={place}
        onClose={onClose}
        key={JSON.stringify(place)}
      />
    </Dialog>
  );
}

interface ConnectionChoiceProps {
  chosen: string;
  onChoose: (connectionId: string) => void;
}

function ConnectionChoice({ chosen, onChoose }: ConnectionChoiceProps) {
  const { data, fault, reload } = useResource("connections", () =>
    askPublic<{ data: Saved[] }>("connections"),
  );
  if (fault !== null)
    return (
      <Fault
        what={t("connections.couldntLoadConnections")}
        why={fault}
        onRetry={reload}
      />
    );
  if (!data) return <Skeleton count={2} />;
  return (
    <ItemSelect
      label={t("common.connection")}
      found={data.data.filter(({ kind }) => kind !== "esign")}
      none={t("fields.noConnectionsYet")}
      value={chosen}
      onChoose={onChoose}
    />
  );
}

interface TablesProps {
  place: TableChoiceState;
  onChoose: (place: TableChoiceState) => void;
}

/** The bases of a connection, if it has several, and the tables of the chosen one. */
function Tables({ place, onChoose }: TablesProps) {
  const { connectionId } = place;
  // The bases of a previous connection must not be offered.
  const bases = useResource(
    connectionId,
    () => askPublic<{ data: Named[] }>(`connections/${connectionId}/bases`),
    connectionId,
  );
  const found = bases.data?.data ?? [];
  const baseId = place.baseId || (found[0]?.id ?? "");
  if (bases.fault !== null)
    return (
      <Fault
        what={t("fields.couldntLoadBases")}
        why={bases.fault}
        onRetry={bases.reload}
      />
    );
  if (!bases.data) return <Skeleton count={2} />;
  return (
    <>
      {found.length > 1 && (
        <ItemSelect
          label={t("common.base")}
          found={found}
          none=""
          value={baseId}
          onChoose={(next) => onChoose({ ...place, baseId: next, tableId: "" })}
        />
      )}
      <TableChoice place={{ ...place, baseId }} onChoose={onChoose} />
    </>
  );
}

function TableChoice({ place, onChoose }: TablesProps) {
  const at = getTablesPath(place);
  const tables = useResource(at, () => askPublic<{ data: Named[] }>(at), at);
  if (tables.fault !== null)
    return (
      <Fault
        what={t("fields.couldntLoadTables")}
        why={tables.fault}
        onRetry={tables.reload}
      />
    );
  if (!tables.data) return <Skeleton count={2} />;
  return (
    <ItemSelect
      label={t("common.table")}
      found={tables.data.data}
      none={t("fields.noTablesFound")}
      value={place.tableId}
      onChoose={(tableId) => onChoose({ ...place, tableId })}
    />
  );
}

interface ItemSelectProps {
  label: string;
  found: readonly { id: string; name: string }[];
  /** Shown when nothing was found. */
  none: string;
  /** Empty for no choice. */
  value: string;
  onChoose: (id: string) => void;
}

/** A select for items that the server found. */
function ItemSelect({ label, found, none, value, onChoose }: ItemSelectProps) {
  const id = useId();
  if (found.length === 0) return <p class="data-hint">{none}</p>;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="input"
        value={value}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      >
        {value === "" && <option value="">{t("common.choose")}</option>}
        {found.map((one) => (
          <option value={one.id} key={one.id}>
            {one.name}
          </option>
        ))}
      </select>
    </div>
  );
}

interface ImportFieldsProps {
  place: TableChoiceState;
  onClose: () => void;
}

/** The fields of a table, with a choice of links to import. */
function ImportFields({ place, onClose }: ImportFieldsProps) {
  const { tableId } = place;
  const draft = useResource(getDraftPath(place), async () =>
    tableId === ""
      ? null
      : (await ask<{ definition: ProjectData }>(getDraftPath(place)))
          .definition,
  );
  if (draft.fault !== null)
    return (
      <Fault
        what={t("fields.couldntLoadTable")}
        why={draft.fault}
        onRetry={draft.reload}
      />
    );
  if (tableId !== "" && !draft.data) return <Skeleton count={2} />;
  return draft.data ? (
    <Fields table={draft.data} place={place} onClose={onClose} />
  ) : (
    <div class="dialog-end">
      <Button onPress={onClose}>{t("common.cancel")}</Button>
    </div>
  );
}

function Fields({
  table,
  place,
  onClose,
}: ImportFieldsProps & { table: ProjectData }) {
  const editor = useEditor();
  const { fields } = getRoot(table.schema);
  const links = fields.filter((one) => "target" in one);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const wanted = links.map(({ name }) => name).filter((one) => !left.has(one));
  const runImport = () => {
    importTable(editor, table, place, new Set(wanted));
    onClose();
  };
  return (
    <>
      <ul class="data-found" aria-label={t("fields.itsFields")}>
        {fields.map((field) => (
          <FoundField
            field={field}
            isWanted={!left.has(field.name)}
            onToggle={() => setLeft(toggle(left, field.name))}
            key={field.name}
          />
        ))}
      </ul>
      <div class="dialog-end">
        <Button onPress={onClose}>{t("common.cancel")}</Button>
        <Button kind="primary" onPress={runImport}>
          {t("fields.import")}
        </Button>
      </div>
    </>
  );
}

function importTable(
  editor: Editor,
  table: ProjectData,
  { connectionId, baseId, tableId }: TableChoiceState,
  links: ReadonlySet<string>,
): void {
  const connection = { connectionId, ...(baseId && { baseId }), tableId };
  editor.change(t("fields.importFieldsFromTable"), (draft) => {
    draft.schema = mergeTable(draft.schema, table.schema, links, connection);
    if (table.sample !== undefined) draft.sample ??= table.sample;
  });
  toast(t("fields.fieldsImported"));
}

interface FoundFieldProps {
  field: Field;
  isWanted: boolean;
  onToggle: () => void;
}

/** A column; a linked table is imported if its box is checked. */
function FoundField({ field, isWanted, onToggle }: FoundFieldProps) {
  const words = (
    <>
      <Icon name={fieldIcons[field.type]} size={16} />
      {getFieldLabel(field)}
    </>
  );
  if (!("target" in field)) return <li>{words}</li>;
  return (
    <li>
      <label class="check">
        <input type="checkbox" checked={isWanted} onChange={onToggle} />
        {words}
      </label>
    </li>
  );
}

function toggle(set: ReadonlySet<string>, one: string): Set<string> {
  const next = new Set(set);
  if (!next.delete(one)) next.add(one);
  return next;
}

/** The chosen connection, base and table; empty when not chosen yet. */
interface TableChoiceState {
  connectionId: string;
  baseId: string;
  tableId: string;
}

const noTable: TableChoiceState = { connectionId: "", baseId: "", tableId: "" };

/** The public API's path of the tables. */
function getTablesPath({ connectionId, baseId }: TableChoiceState): string {
  const query = baseId === "" ? "" : `?baseId=${encodeURIComponent(baseId)}`;
  return `connections/${connectionId}/tables${query}`;
}

/** The studio's path of a definition generated from the table. */
function getDraftPath({
  connectionId,
  baseId,
  tableId,
}: TableChoiceState): string {
  const query = new URLSearchParams({
    connectionId,
    ...(baseId !== "" && { baseId }),
    tableId,
  });
  return `wizard/draft?${query.toString()}`;
}
