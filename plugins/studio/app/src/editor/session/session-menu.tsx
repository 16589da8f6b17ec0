import { useState } from "preact/hooks";
import { go } from "../../router.js";
import { ActionMenu, type MenuAction } from "../../ui/action-menu.js";
import { AskFirst } from "../../ui/ask-first.js";
import { toast } from "../../ui/toast.js";
import type { DraftSession } from "./draft-session.js";
import { saveAsFile } from "./save-as-file.js";

/** What is seldom done with a template. */
export function SessionMenu({ session }: { session: DraftSession }) {
  const [isAsking, setAsking] = useState(false);
  const { templateId, name } = session.view.value;
  const actions: MenuAction[] = [
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
  if (session.editor.mayEdit && session.isChanged.value)
    actions.push({
      words: "Discard changes",
      icon: "restore",
      isGrave: true,
      onPress: () => setAsking(true),
    });
  return (
    <>
      <ActionMenu label="More for this template" isQuiet actions={actions} />
      {isAsking && (
        <AskFirst
          title="Discard the changes?"
          act="Discard changes"
          keep="Keep them"
          onAct={async () => {
            await session.discard();
            toast("Back to what is published. Undo brings the changes back.");
          }}
          onClose={() => setAsking(false)}
        >
          <p>
            The template goes back to what is published, for everyone who works
            on it.
          </p>
        </AskFirst>
      )}
    </>
  );
}
