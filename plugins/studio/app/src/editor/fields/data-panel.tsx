import "./data.css";
import "./sample.css";
import { useState } from "preact/hooks";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { useEditor } from "../model/editor.js";
import type { DraftSession } from "../session/draft-session.js";
import { CollectionFields } from "./field-list.js";
import { rootOf } from "./schema-edits.js";
import { SampleDialog } from "./sample-dialog.js";
import { TableDialog } from "./table-dialog.js";

/** What the template knows of its data: fields and lists, and a sample of them. */
export function DataPanel({ session }: { session: DraftSession }) {
  const editor = useEditor();
  const [open, setOpen] = useState<"sample" | "table" | null>(null);
  const { definition, mayEdit } = editor;
  const root = rootOf(definition.value.schema);
  const close = () => setOpen(null);
  return (
    <div class="data">
      <div class="data-head">
        <Button isWide onPress={() => setOpen("sample")}>
          <Icon name="documents" size={16} />
          Sample data
        </Button>
        {mayEdit && (
          <Button isWide onPress={() => setOpen("table")}>
            <Icon name="connections" size={16} />
            Fields of a table
          </Button>
        )}
      </div>
      {root.fields.length === 0 && (
        <p class="data-hint">
          Nothing is known of your data yet. Add fields here, or let them be
          read from a sample or from a table.
        </p>
      )}
      <CollectionFields collection={root} trail={[root.id]} />
      {open === "sample" && <SampleDialog session={session} onClose={close} />}
      {open === "table" && <TableDialog onClose={close} />}
    </div>
  );
}
