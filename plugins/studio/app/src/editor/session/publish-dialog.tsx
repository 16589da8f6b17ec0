import { countOf } from "../../format.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import type { DraftSession } from "./draft-session.js";
import { ProblemList } from "./problem-list.js";
import { PublishForm } from "./publish-form.js";

interface PublishDialogProps {
  session: DraftSession;
  onClose: () => void;
}

/** Publishes the draft; where the checker found problems, it lists them instead. */
export function PublishDialog({ session, onClose }: PublishDialogProps) {
  const problems = session.editor.facts.value?.problems ?? [];
  if (problems.length === 0)
    return <PublishForm session={session} onClose={onClose} />;
  return (
    <Dialog
      title={`${countOf(problems.length, "thing")} to mend first`}
      onClose={onClose}
    >
      <p class="muted">
        Documents cannot be made of this template as it is. Your changes are
        saved.
      </p>
      <ProblemList problems={problems} onShow={onClose} />
      <div class="dialog-end">
        <Button onPress={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
