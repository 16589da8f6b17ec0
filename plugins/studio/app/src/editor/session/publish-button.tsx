import { useState } from "preact/hooks";
import { countOf } from "../../format.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import type { DraftSession } from "./draft-session.js";
import { PublishDialog } from "./publish-dialog.js";

/** Publishes, once something changed; problems are counted beside it. */
export function PublishButton({ session }: { session: DraftSession }) {
  const [isOpen, setOpen] = useState(false);
  if (!session.editor.mayEdit) return null;
  const count = session.editor.facts.value?.problems.length ?? 0;
  return (
    <>
      {count > 0 && (
        <Button
          kind="quiet"
          label={`${countOf(count, "problem")} to mend`}
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
        reason={reasonOf(session)}
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

function reasonOf(session: DraftSession): string | null {
  if (session.isOutrun.value)
    return "Something else was published meanwhile: bring it in first";
  return session.isChanged.value
    ? null
    : "Nothing has changed since it was published";
}
