import { useState } from "preact/hooks";
import type { ProjectData } from "../../../../core/plugin-api/definition.js";
import { askPublic, ask } from "../../api.js";
import { useResource } from "../../resource.js";
import { LoadStatus } from "../../ui/loading.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Icon } from "../../ui/icon.js";
import { LabeledSelect } from "../../ui/select.js";
import { toast } from "../../ui/toast.js";
import type { Editor } from "../model/editor.js";
import { useEditor } from "../model/editor-context.js";
import { mergeTable } from "./infer-schema.js";
import {
  fieldIcons,
  getFieldKind,
  getFieldLabel,
  getRoot,
} from "./schema-edits.js";
import { t } from "../../messages/index.js";

interface Named {
  id: string;
  name: string;
}

/** Imports the fields of a connection's table. */
export function TableDialog({ onClose }: { onClose: () => void }) {
  const [place, setPlace] = useState<TableChoiceState>(noTable);
  return (
    <Dialog title={t("fields.importFieldsFromTable")} onClose={onClose}>
      <div class="sample">
        <p class="data-hint">{t("fields.importHelp")}</p>
        <ItemChoice
          at="connections?kind=platform&page=1&pageSize=100"
          what={t("connections.couldntLoadConnections")}
          label={t("common.connection")}
          none={t("fields.noConnectionsYet")}
          value={place.connectionId}
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

interface PlaceProps {
  place: TableChoiceState;
  onChoose: (place: TableChoiceState) => void;
}

/** The bases of a connection, if it has several, and the tables of the chosen one. */
function Tables({ place, onChoose }: PlaceProps) {
  const { connectionId } = place;
  // The bases of a previous connection must not be offered.
  const bases = useResource(
    connectionId,
    () => askPublic<{ data: Named[] }>(`connections/${connectionId}/bases`),
    connectionId,
  );
  const found = bases.data?.data ?? [];
  const baseId = place.baseId || (found[0]?.id ?? "");
  if (!bases.data || bases.fault !== null)
    return (
      <LoadStatus
        resource={bases}
        what={t("fields.couldntLoadBases")}
        count={2}
      />
    );
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
      <ItemChoice
        at={getTablesPath({ ...place, baseId })}
        what={t("fields.couldntLoadTables")}
        label={t("common.table")}
        none={t("fields.noTablesFound")}
        value={place.tableId}
        onChoose={(tableId) => onChoose({ ...place, baseId, tableId })}
      />
    </>
  );
}

interface ItemChoiceProps extends Omit<ItemSelectProps, "found"> {
  /** The public API's path of the items. */
  at: string;
  /** The title of an error. */
  what: string;
}

/** A select for the items of a list that is loaded from the server. */
function ItemChoice({ at, what, ...select }: ItemChoiceProps) {
  // The items of a previous path must not be offered.
  const items = useResource(at, () => askPublic<{ data: Named[] }>(at), at);
  if (!items.data || items.fault !== null)
    return <LoadStatus resource={items} what={what} count={2} />;
  return <ItemSelect {...select} found={items.data.data} />;
}

interface ItemSelectProps {
  label: string;
  found: readonly Named[];
  /** Shown when nothing was found. */
  none: string;
  /** Empty for no choice. */
  value: string;
  onChoose: (id: string) => void;
}

function ItemSelect({ label, found, none, value, onChoose }: ItemSelectProps) {
  if (found.length === 0) return <p class="data-hint">{none}</p>;
  return (
    <LabeledSelect
      label={label}
      value={value}
      options={found.map((one) => [one.id, one.name])}
      none={value === "" ? t("common.choose") : undefined}
      onChange={(one = "") => onChoose(one)}
    />
  );
}

interface ImportFieldsProps {
  place: TableChoiceState;
  onClose: () => void;
}

function ImportFields({ place, onClose }: ImportFieldsProps) {
  const { tableId } = place;
  const draft = useResource(getDraftPath(place), async () =>
    tableId === ""
      ? null
      : (await ask<{ definition: ProjectData }>(getDraftPath(place)))
          .definition,
  );
  if (draft.fault !== null || (tableId !== "" && !draft.data))
    return (
      <LoadStatus
        resource={draft}
        what={t("fields.couldntLoadTable")}
        count={2}
      />
    );
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
        {fields.map((field) => {
          const words = (
            <>
              <Icon name={fieldIcons[getFieldKind(field)]} size={16} />
              {getFieldLabel(field)}
            </>
          );
          return (
            <li key={field.name}>
              {"target" in field ? (
                <label class="check">
                  <input
                    type="checkbox"
                    checked={!left.has(field.name)}
                    onChange={() => setLeft(toggle(left, field.name))}
                  />
                  {words}
                </label>
              ) : (
                words
              )}
            </li>
          );
        })}
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
