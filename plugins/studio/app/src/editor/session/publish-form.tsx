import { useId, useState } from "preact/hooks";
import { useAction, Form, FormEnd } from "../../ui/form.js";
import { Dialog } from "../../ui/dialog.js";
import { toast } from "../../ui/toast.js";
import type { DraftSession } from "./draft-session.js";

interface PublishFormProps {
  session: DraftSession;
  onClose: () => void;
}

/** Publishes the draft, by default as a version; without changes, it keeps what is published as one. */
export function PublishForm({ session, onClose }: PublishFormProps) {
  const [isNew] = useState(session.isChanged.peek());
  const [isWanted, setWanted] = useState(true);
  const [note, setNote] = useState("");
  const [next] = useState(session.view.peek().published.version + 1);
  const isKept = isWanted || !isNew;
  const { isBusy, fault, run } = useAction(async () => {
    const versionNote = note.trim() === "" ? null : note.trim();
    const view = await session.publish({ createVersion: isKept, versionNote });
    const { version } = view.published;
    if (isNew) toast(isKept ? `Published as version ${version}` : "Published");
    else toast(`Version ${version} is kept`);
    onClose();
  });
  return (
    <Dialog
      title={isNew ? "Publish the changes" : "Keep a version"}
      onClose={onClose}
    >
      <Form onSend={run}>
        <p class="muted">
          {isNew
            ? "From now on, documents are made as you see it here."
            : "What is published now can then be compared and restored later."}
        </p>
        {isNew && (
          <KeepCheck next={next} isKept={isKept} onChange={setWanted} />
        )}
        {isKept && <NoteField note={note} onChange={setNote} />}
        <FormEnd
          act={isNew ? "Publish" : `Keep version ${next}`}
          fault={fault}
          isBusy={isBusy}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

interface KeepCheckProps {
  /** The number that the version gets. */
  next: number;
  isKept: boolean;
  onChange: (isKept: boolean) => void;
}

function KeepCheck({ next, isKept, onChange }: KeepCheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isKept}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>
        Keep it as version {next}
        <br />
        <span class="muted small">
          {isKept
            ? "It can be compared and restored later."
            : `Links, buttons and batches of records go on with version ${next - 1}.`}
        </span>
      </span>
    </label>
  );
}

interface NoteFieldProps {
  note: string;
  onChange: (note: string) => void;
}

function NoteField({ note, onChange }: NoteFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>What changed (optional)</label>
      <input
        id={id}
        class="input"
        autofocus
        maxLength={255}
        value={note}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  );
}
