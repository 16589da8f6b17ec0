import "./data.css";
import "./sample.css";
import { useState } from "preact/hooks";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { useEditor } from "../model/editor-context.js";
import type { DraftSession } from "../session/draft-session.js";
import { CollectionFields } from "./field-list.js";
import { getRoot } from "./schema-edits.js";
import { SampleDialog } from "./sample-dialog.js";
import { TableDialog } from "./table-dialog.js";
import { t } from "../../messages/index.js";

/** The fields and lists of the template's data, and its sample data. */
export function DataPanel({ session }: { session: DraftSession }) {
  const editor = useEditor();
  const [open, setOpen] = useState<"sample" | "table" | null>(null);
  const { definition, mayEdit } = editor;
  const root = getRoot(definition.value.schema);
  const close = () => setOpen(null);
  return (
    <div class="data">
      <div class="data-head">
        <Button isWide onPress={() => setOpen("sample")}>
          <Icon name="documents" size={16} />
          {t("fields.sampleData")}
        </Button>
        {mayEdit && (
          <Button isWide onPress={() => setOpen("table")}>
            <Icon name="connections" size={16} />
            {t("fields.importFieldsFromTable")}
          </Button>
        )}
      </div>
      {root.fields.length === 0 && (
        <p class="data-hint">{t("fields.noFieldsYet")}</p>
      )}
      <CollectionFields collection={root} trail={[root.id]} />
      {open === "sample" && <SampleDialog session={session} onClose={close} />}
      {open === "table" && <TableDialog onClose={close} />}
    </div>
  );
}
