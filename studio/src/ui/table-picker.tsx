import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { askPublic } from "../api.js";
import { t } from "../messages/index.js";
import { useResource } from "../resource.js";
import { LoadStatus } from "./loading.js";
import { LabeledSelect } from "./select.js";

/** A table of a connection; null while not chosen. The base is empty on platforms without bases. */
export interface TablePlace {
  connection: string | null;
  base: string | null;
  table: string | null;
}

export const noTable: TablePlace = {
  connection: null,
  base: null,
  table: null,
};

interface TablePickerProps {
  place: TablePlace;
  /** Shown when there is no connection to a platform. */
  noConnection: ComponentChildren;
  onChange: (place: TablePlace) => void;
}

/** Chooses a connection, a base and a table. The only one of each is chosen by itself. */
export function TablePicker({
  place,
  noConnection,
  onChange,
}: TablePickerProps) {
  const { connection, base, table } = place;
  const at = `connections/${connection}`;
  const query = base ? `?baseId=${encodeURIComponent(base)}` : "";
  return (
    <>
      <Step
        at="connections?kind=platform&page=1&pageSize=100"
        what={t("connections.couldntLoadConnections")}
        label={t("common.connection")}
        none={noConnection}
        value={connection}
        onChoose={(chosen) => onChange({ ...noTable, connection: chosen })}
      />
      {connection !== null && (
        <Step
          at={`${at}/bases`}
          what={t("wizard.couldntLoadYourBases")}
          label={t("common.base")}
          without=""
          value={base}
          onChoose={(chosen) =>
            onChange({ ...noTable, connection, base: chosen })
          }
        />
      )}
      {base !== null && (
        <Step
          at={`${at}/tables${query}`}
          what={t("fields.couldntLoadTables")}
          label={t("common.table")}
          none={<p class="muted">{t("fields.noTablesFound")}</p>}
          value={table}
          onChoose={(chosen) => onChange({ ...place, table: chosen })}
        />
      )}
    </>
  );
}

interface StepProps {
  /** The public API's path of the items. */
  at: string;
  /** The title of an error. */
  what: string;
  label: string;
  /** Shown when there are no items. */
  none?: ComponentChildren;
  /** The value when there are no items, if none is needed. */
  without?: string;
  value: string | null;
  onChoose: (id: string) => void;
}

function Step({ at, what, label, none, without, value, onChoose }: StepProps) {
  // The items of a previous path must not be offered.
  const items = useResource(
    at,
    () => askPublic<{ data: { id: string; name: string }[] }>(at),
    at,
  );
  const options = items.data?.data;
  useEffect(() => {
    if (!options || options.length > 1 || value !== null) return;
    const only = options[0]?.id ?? without;
    if (only !== undefined) onChoose(only);
  }, [options, value]);
  if (!options || items.fault !== null)
    return <LoadStatus resource={items} what={what} count={1} />;
  if (options.length === 0) return <>{none}</>;
  return (
    <LabeledSelect
      label={label}
      isRequired
      value={value ?? ""}
      options={options.map(({ id, name }) => [id, name])}
      none={value === null ? t("common.choose") : undefined}
      onChange={(id) => id !== undefined && onChoose(id)}
    />
  );
}
