import { useId, useState } from "preact/hooks";
import { useAction } from "../../action.js";
import { go, place, whereNow } from "../../router.js";
import { Dialog } from "../../ui/dialog.js";
import { Form } from "../../ui/form.js";
import { FormEnd } from "../../ui/form-end.js";
import { useFolders } from "../folders/folder-tree.js";
import { SourcePicture } from "./new-template-card.js";
import { makeTemplate, type Source } from "./new-template-source.js";

interface NewTemplateDialogProps {
  source: Source;
  onClose: () => void;
}

/** The example in full, and what the new template is called; then its editor opens. */
export function NewTemplateDialog({ source, onClose }: NewTemplateDialogProps) {
  const isBlank = source.id.startsWith("blank-");
  const [name, setName] = useState(isBlank ? "" : source.name);
  const [folderId, setFolder] = useState(
    place.peek().searchParams.get("folder") ?? "",
  );
  const { isBusy, fault, run } = useAction(async () => {
    const into = folderId === "" ? null : folderId;
    const isHere = whereNow();
    const id = await makeTemplate(source, name.trim(), into);
    if (isHere()) go(`templates/${id}/edit`);
  });
  return (
    <Dialog title={source.name} onClose={onClose}>
      <div class={source.picture === null ? "" : "new-template-split"}>
        {source.picture !== null && <SourcePicture source={source} isDrawn />}
        <Form onSend={run}>
          <p class="muted">{source.description}</p>
          <NameField name={name} onChange={setName} />
          <FolderField folderId={folderId} onChange={setFolder} />
          <FormEnd
            act="Create and open"
            fault={fault}
            isBusy={isBusy}
            onCancel={onClose}
          />
        </Form>
      </div>
    </Dialog>
  );
}

interface NameFieldProps {
  name: string;
  onChange: (name: string) => void;
}

function NameField({ name, onChange }: NameFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>Name</label>
      <input
        id={id}
        class="input"
        autofocus
        required
        maxLength={255}
        pattern=".*\S.*"
        value={name}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  );
}

interface FolderFieldProps {
  folderId: string;
  onChange: (folderId: string) => void;
}

/** Where there are folders. */
function FolderField({ folderId, onChange }: FolderFieldProps) {
  const id = useId();
  const { data } = useFolders("template");
  if (!data || data.length === 0) return null;
  return (
    <div class="field">
      <label for={id}>Folder</label>
      <select
        id={id}
        class="input"
        value={folderId}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        <option value="">No folder</option>
        {data.map((one) => (
          <option value={one.id} key={one.id}>
            {"\u2003".repeat(one.depth)}
            {one.name}
          </option>
        ))}
      </select>
    </div>
  );
}
