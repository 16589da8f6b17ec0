import { useState, useId } from "preact/hooks";
import type {
  Field,
  ProjectData,
} from "../../../../../../core/plugin-api/definition.js";
import { askPublic, ask } from "../../api.js";
import { useResource } from "../../resource.js";
import { Bones } from "../../ui/bones.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Icon } from "../../ui/icon.js";
import { Fault } from "../../ui/notice.js";
import { toast } from "../../ui/toast.js";
import { useEditor, type Editor } from "../model/editor.js";
import { fieldIcons, fieldLabel, rootOf } from "./schema-edits.js";
import { withTable } from "./schema-import.js";

interface Named {
  id: string;
  name: string;
}
interface Saved extends Named {
  kind: "platform" | "esign";
}

/** Chooses a table of a connection, whose fields then become fields of the template. */
export function TableDialog({ onClose }: { onClose: () => void }) {
  const [place, setPlace] = useState<DataPlace>(noPlace);
  return (
    <Dialog title="Fields of a table" onClose={onClose}>
      <div class="sample">
        <p class="data-hint">
          Its columns become fields here, and documents can be made from its
          records. Fields that are here already stay.
        </p>
        <ConnectionChoice
          chosen={place.connectionId}
          onChoose={(connectionId) => setPlace({ ...noPlace, connectionId })}
        />
        {place.connectionId !== "" && (
          <Tables place={place} onChoose={setPlace} />
        )}
      </div>
      <BringFields
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
        what="Your connections could not be read"
        why={fault}
        onRetry={reload}
      />
    );
  if (!data) return <Bones count={2} />;
  return (
    <FoundChoice
      label="Connection"
      found={data.data.filter(({ kind }) => kind !== "esign")}
      none="There is no connection yet. Make one under Connections."
      value={chosen}
      onChoose={onChoose}
    />
  );
}

interface TablesProps {
  place: DataPlace;
  onChoose: (place: DataPlace) => void;
}

/** The bases of a connection, where it has several, and the tables of one. */
function Tables({ place, onChoose }: TablesProps) {
  const { connectionId } = place;
  // Another connection's bases are none to choose from.
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
        what="The bases could not be read"
        why={bases.fault}
        onRetry={bases.reload}
      />
    );
  if (!bases.data) return <Bones count={2} />;
  return (
    <>
      {found.length > 1 && (
        <FoundChoice
          label="Base"
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
  const at = tablesAt(place);
  const tables = useResource(at, () => askPublic<{ data: Named[] }>(at), at);
  if (tables.fault !== null)
    return (
      <Fault
        what="The tables could not be read"
        why={tables.fault}
        onRetry={tables.reload}
      />
    );
  if (!tables.data) return <Bones count={2} />;
  return (
    <FoundChoice
      label="Table"
      found={tables.data.data}
      none="There is no table here."
      value={place.tableId}
      onChoose={(tableId) => onChoose({ ...place, tableId })}
    />
  );
}

interface FoundChoiceProps {
  label: string;
  found: readonly { id: string; name: string }[];
  /** What is said where nothing was found. */
  none: string;
  /** Empty while nothing is chosen. */
  value: string;
  onChoose: (id: string) => void;
}

/** One of what the service has found. */
function FoundChoice({
  label,
  found,
  none,
  value,
  onChoose,
}: FoundChoiceProps) {
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
        {value === "" && <option value="">Choose…</option>}
        {found.map((one) => (
          <option value={one.id} key={one.id}>
            {one.name}
          </option>
        ))}
      </select>
    </div>
  );
}

interface BringFieldsProps {
  place: DataPlace;
  onClose: () => void;
}

/** What a table has, which links are brought along, and the step that does it. */
function BringFields({ place, onClose }: BringFieldsProps) {
  const { tableId } = place;
  const draft = useResource(draftAt(place), async () =>
    tableId === ""
      ? null
      : (await ask<{ definition: ProjectData }>(draftAt(place))).definition,
  );
  if (draft.fault !== null)
    return (
      <Fault
        what="The table could not be read"
        why={draft.fault}
        onRetry={draft.reload}
      />
    );
  if (tableId !== "" && !draft.data) return <Bones count={2} />;
  return draft.data ? (
    <Fields table={draft.data} place={place} onClose={onClose} />
  ) : (
    <div class="dialog-end">
      <Button onPress={onClose}>Cancel</Button>
    </div>
  );
}

function Fields({
  table,
  place,
  onClose,
}: BringFieldsProps & { table: ProjectData }) {
  const editor = useEditor();
  const { fields } = rootOf(table.schema);
  const links = fields.filter((one) => "target" in one);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const wanted = links.map(({ name }) => name).filter((one) => !left.has(one));
  const bring = () => {
    bringIn(editor, table, place, new Set(wanted));
    onClose();
  };
  return (
    <>
      <ul class="data-found" aria-label="Its fields">
        {fields.map((field) => (
          <FoundField
            field={field}
            isWanted={!left.has(field.name)}
            onToggle={() => setLeft(toggled(left, field.name))}
            key={field.name}
          />
        ))}
      </ul>
      <div class="dialog-end">
        <Button onPress={onClose}>Cancel</Button>
        <Button kind="primary" onPress={bring}>
          Bring them in
        </Button>
      </div>
    </>
  );
}

function bringIn(
  editor: Editor,
  table: ProjectData,
  { connectionId, baseId, tableId }: DataPlace,
  links: ReadonlySet<string>,
): void {
  const connection = { connectionId, ...(baseId && { baseId }), tableId };
  editor.change("Bring in the fields of a table", (draft) => {
    draft.schema = withTable(draft.schema, table.schema, links, connection);
    if (table.sample !== undefined) draft.sample ??= table.sample;
  });
  toast("The fields are here.");
}

interface FoundFieldProps {
  field: Field;
  isWanted: boolean;
  onToggle: () => void;
}

/** A column; a linked table is brought along where it is ticked. */
function FoundField({ field, isWanted, onToggle }: FoundFieldProps) {
  const words = (
    <>
      <Icon name={fieldIcons[field.type]} size={16} />
      {fieldLabel(field)}
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

function toggled(set: ReadonlySet<string>, one: string): Set<string> {
  const next = new Set(set);
  if (!next.delete(one)) next.add(one);
  return next;
}

/** A table of a connection, as far as it is chosen; what is not is empty. */
interface DataPlace {
  connectionId: string;
  baseId: string;
  tableId: string;
}

const noPlace: DataPlace = { connectionId: "", baseId: "", tableId: "" };

/** Where the public API has the tables. */
function tablesAt({ connectionId, baseId }: DataPlace): string {
  const query = baseId === "" ? "" : `?baseId=${encodeURIComponent(baseId)}`;
  return `connections/${connectionId}/tables${query}`;
}

/** Where the studio's routes have a template made of the table. */
function draftAt({ connectionId, baseId, tableId }: DataPlace): string {
  const query = new URLSearchParams({
    connectionId,
    ...(baseId !== "" && { baseId }),
    tableId,
  });
  return `wizard/draft?${query.toString()}`;
}
