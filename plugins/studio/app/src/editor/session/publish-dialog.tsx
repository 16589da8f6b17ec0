import { useState, useId } from "preact/hooks";
import { useAction } from "../../ui/form.js";
import { countOf } from "../../format.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { FormActions } from "../../ui/form.js";
import { Form } from "../../ui/form.js";
import { Icon } from "../../ui/icon.js";
import { toast } from "../../ui/toast.js";
import type { DraftSession } from "./draft-session.js";
import { ProblemList } from "./problem-list.js";

interface PublishDialogProps {
  session: DraftSession;
  onClose: () => void;
}

/** Publishes the draft, or lists the problems to fix first. */
export function PublishDialog({ session, onClose }: PublishDialogProps) {
  const problems = session.editor.facts.value?.problems ?? [];
  if (problems.length === 0)
    return <PublishForm session={session} onClose={onClose} />;
  return (
    <Dialog
      title={`${countOf(problems.length, "problem")} to fix first`}
      onClose={onClose}
    >
      <p class="muted">
        This template cannot generate documents yet. Your changes are saved.
      </p>
      <ProblemList problems={problems} onShow={onClose} />
      <div class="dialog-end">
        <Button onPress={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

/** Opens the publish dialog; enabled once something changed. Shows the number of problems beside it. */
export function PublishButton({ session }: { session: DraftSession }) {
  const [isOpen, setOpen] = useState(false);
  if (!session.editor.mayEdit) return null;
  const count = session.editor.facts.value?.problems.length ?? 0;
  return (
    <>
      {count > 0 && (
        <Button
          kind="quiet"
          label={`${countOf(count, "problem")} to fix`}
          onPress={() => setOpen(true)}
        >
          <span class="problem-count">
            <Icon name="warn" size={16} />
            {count}
          </span>
        </Button>
      )}
      <Button
        kind="primary"
        reason={getDisabledReason(session)}
        onPress={() => setOpen(true)}
      >
        Publish
      </Button>
      {isOpen && (
        <PublishDialog session={session} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

function getDisabledReason(session: DraftSession): string | null {
  if (session.isOutdated.value)
    return "A newer version was published: merge it first";
  return session.isChanged.value ? null : "No changes since it was published";
}

interface PublishFormProps {
  session: DraftSession;
  onClose: () => void;
}

/** Publishes the draft, as a version by default. Without changes, saves what is published as a version. */
function PublishForm({ session, onClose }: PublishFormProps) {
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
    else toast(`Version ${version} saved`);
    onClose();
  });
  return (
    <Dialog
      title={isNew ? "Publish the changes" : "Save a version"}
      onClose={onClose}
    >
      <Form onSend={run}>
        <p class="muted">
          {isNew
            ? "New documents will look as shown here."
            : "You can compare and restore this version later."}
        </p>
        {isNew && (
          <VersionCheckbox next={next} isKept={isKept} onChange={setWanted} />
        )}
        {isKept && <NoteField note={note} onChange={setNote} />}
        <FormActions
          act={isNew ? "Publish" : `Save version ${next}`}
          fault={fault}
          isBusy={isBusy}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

interface VersionCheckboxProps {
  /** The number of the new version. */
  next: number;
  isKept: boolean;
  onChange: (isKept: boolean) => void;
}

function VersionCheckbox({ next, isKept, onChange }: VersionCheckboxProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isKept}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>
        Save as version {next}
        <br />
        <span class="muted small">
          {isKept
            ? "You can compare and restore it later."
            : `Links, buttons and batches keep using version ${next - 1}.`}
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
