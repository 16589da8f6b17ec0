import { useState } from "preact/hooks";
import { askPublic } from "../../api.js";
import { useResource } from "../../resource.js";
import { Bones } from "../../ui/loading.js";
import { Dialog } from "../../ui/dialog.js";
import { Fault } from "../../ui/notice.js";
import { BringFields } from "./bring-fields.js";
import { FoundChoice } from "./found-choice.js";
import { noPlace, tablesAt, type DataPlace } from "./data-place.js";

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
