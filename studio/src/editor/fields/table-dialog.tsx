import { useState } from "preact/hooks";
import type { ProjectData } from "../../../../core/plugin-api/definition.js";
import { ask } from "../../api.js";
import { useResource } from "../../resource.js";
import { LoadStatus } from "../../ui/loading.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Icon } from "../../ui/icon.js";
import {
  noTable,
  TablePicker,
  type TablePlace,
} from "../../ui/table-picker.js";
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

/** Imports the fields of a connection's table. */
export function TableDialog({ onClose }: { onClose: () => void }) {
  const [place, setPlace] = useState(noTable);
  return (
    <Dialog title={t("fields.importFieldsFromTable")} onClose={onClose}>
      <div class="sample">
        <p class="data-hint">{t("fields.importHelp")}</p>
        <TablePicker
          place={place}
          noConnection={<p class="data-hint">{t("fields.noConnectionsYet")}</p>}
          onChange={setPlace}
        />
      </div>
      <ImportFields
        place={place}
        onClose={onClose}
        key={JSON.stringify(place)}
      />
    </Dialog>
  );
}

interface ImportFieldsProps {
  place: TablePlace;
  onClose: () => void;
}

function ImportFields({ place, onClose }: ImportFieldsProps) {
  const path = getDraftPath(place);
  const draft = useResource(path ?? "", async () => {
    if (path === null) return null;
    return (await ask<{ definition: ProjectData }>(path)).definition;
  });
  if (draft.fault !== null || (path !== null && !draft.data))
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
  const links = fields.filter((field) => "target" in field);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const wanted = links
    .map(({ name }) => name)
    .filter((name) => !left.has(name));
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
  place: TablePlace,
  links: ReadonlySet<string>,
): void {
  const connection = toConnection(place);
  if (!connection) return;
  editor.change(t("fields.importFieldsFromTable"), (draft) => {
    draft.schema = mergeTable(draft.schema, table.schema, links, connection);
    if (table.sample !== undefined) draft.sample ??= table.sample;
  });
  toast(t("fields.fieldsImported"));
}

function toggle(set: ReadonlySet<string>, name: string): Set<string> {
  const next = new Set(set);
  if (!next.delete(name)) next.add(name);
  return next;
}

/** Null before a table is chosen. */
function toConnection({ connection, base, table }: TablePlace) {
  return connection === null || table === null
    ? null
    : {
        connectionId: connection,
        ...(base && { baseId: base }),
        tableId: table,
      };
}

/** The studio's path of a definition generated from the table; null before one is chosen. */
function getDraftPath(place: TablePlace): string | null {
  const connection = toConnection(place);
  return (
    connection && `wizard/draft?${new URLSearchParams(connection).toString()}`
  );
}
