import { useState } from "preact/hooks";
import type {
  Field,
  ProjectData,
} from "../../../../../../core/plugin-api/definition.js";
import { ask } from "../../api.js";
import { useResource } from "../../resource.js";
import { Bones } from "../../ui/loading.js";
import { Button } from "../../ui/button.js";
import { Fault } from "../../ui/notice.js";
import { toast } from "../../ui/toast.js";
import { useEditor } from "../model/editor-context.js";
import type { Editor } from "../model/editor.js";
import { type DataPlace, draftAt } from "./data-place.js";
import { fieldIcons, fieldLabel } from "./field-words.js";
import { withTable } from "./merge-schema.js";
import { rootOf } from "./schema-steps.js";
import { Icon } from "../../ui/icon.js";

interface BringFieldsProps {
  place: DataPlace;
  onClose: () => void;
}

/** What a table has, which links are brought along, and the step that does it. */
export function BringFields({ place, onClose }: BringFieldsProps) {
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
