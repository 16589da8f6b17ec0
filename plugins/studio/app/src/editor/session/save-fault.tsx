import type { ComponentChildren } from "preact";
import { pageOwner, standing } from "../../api.js";
import { Button } from "../../ui/button.js";
import type { DraftSession } from "./draft-session.js";
import { saveAsFile } from "./save-as-file.js";

interface SessionProps {
  session: DraftSession;
}

/** Why changes do not get to the service, across the page. */
export function SaveFault({ session }: SessionProps) {
  const state = session.state.value;
  if (state.kind !== "failed") return null;
  // Why the page's person may not save is told above, once.
  if (standing.value !== "good") return <Kept session={session} />;
  return (
    <Unsaved
      act={<Button onPress={() => session.flush()}>Try now</Button>}
      what={`${state.why} They are kept in this browser, and saving is tried again.`}
    />
  );
}

function Kept({ session }: SessionProps) {
  const who = pageOwner.value?.user.name ?? "you";
  return (
    <Unsaved
      act={<SaveAsFile session={session} />}
      what={`They stay in this tab, and in this browser for ${who}: they are saved once ${who} is signed in again.`}
    />
  );
}

interface UnsavedProps {
  what: string;
  act: ComponentChildren;
}

function Unsaved({ what, act }: UnsavedProps) {
  return (
    <div class="editor-notice bad" role="alert">
      <p>
        <strong>Your last changes are not saved.</strong> {what}
      </p>
      {act}
    </div>
  );
}

function SaveAsFile({ session }: SessionProps) {
  const save = () => {
    const { name } = session.view.peek();
    saveAsFile(name, session.editor.definition.peek());
  };
  return <Button onPress={save}>Save as a file</Button>;
}
