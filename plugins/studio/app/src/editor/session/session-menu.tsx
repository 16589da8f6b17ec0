import { useState } from "preact/hooks";
import { go } from "../../router.js";
import { ActionMenu, type MenuAction } from "../../ui/action-menu.js";
import { AskFirst } from "../../ui/dialog.js";
import { toast } from "../../ui/toast.js";
import type { DraftSession } from "./draft-session.js";
import { saveAsFile } from "./save-as-file.js";

/** What is seldom done with a template. */
export function SessionMenu({ session }: { session: DraftSession }) {
  const [isAsking, setAsking] = useState(false);
  const discard: MenuAction = {
    words: "Discard changes",
    icon: "restore",
    isGrave: true,
    onPress: () => setAsking(true),
  };
  const mayDiscard = session.editor.mayEdit && session.isChanged.value;
  const actions = [...actionsOf(session), ...(mayDiscard ? [discard] : [])];
  return (
    <>
      <ActionMenu label="More for this template" isQuiet actions={actions} />
      {isAsking && (
        <DiscardDialog session={session} onClose={() => setAsking(false)} />
      )}
    </>
  );
}

function actionsOf(session: DraftSession): MenuAction[] {
  const { templateId, name } = session.view.value;
  return [
    {
      words: "Save as a file",
      icon: "download",
      onPress: () => saveAsFile(name, session.editor.definition.peek()),
    },
    {
      words: "Try it with data",
      icon: "documents",
      onPress: () => go(`templates/${templateId}`),
    },
  ];
}

interface DiscardDialogProps {
  session: DraftSession;
  onClose: () => void;
}

function DiscardDialog({ session, onClose }: DiscardDialogProps) {
  const discard = async () => {
    await session.discard();
    toast("Back to what is published. Undo brings the changes back.");
  };
  return (
    <AskFirst
      title="Discard the changes?"
      act="Discard changes"
      keep="Keep them"
      onAct={discard}
      onClose={onClose}
    >
      <p>
        The template goes back to what is published, for everyone who works on
        it.
      </p>
    </AskFirst>
  );
}
