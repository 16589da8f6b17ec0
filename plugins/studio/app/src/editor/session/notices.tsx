import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { askPublic } from "../../api.js";
import { pageOwner, standing } from "../../standing.js";
import { Button } from "../../ui/button.js";
import type { DraftSession } from "./draft-session.js";
import { downloadDefinition } from "./download-definition.js";

interface SessionProps {
  session: DraftSession;
}

/** Why changes do not get to the service, across the page. */
export function SaveErrorNotice({ session }: SessionProps) {
  const state = session.state.value;
  if (state.kind !== "failed") return null;
  // Why the page's person may not save is told above, once.
  if (standing.value !== "good") return <SignedOutNotice session={session} />;
  return (
    <UnsavedNotice
      act={<Button onPress={() => session.flush()}>Try now</Button>}
      what={`${state.why} They are kept in this browser, and saving is tried again.`}
    />
  );
}

function SignedOutNotice({ session }: SessionProps) {
  const who = pageOwner.value?.user.name ?? "you";
  return (
    <UnsavedNotice
      act={<SaveAsFile session={session} />}
      what={`They stay in this tab, and in this browser for ${who}: they are saved once ${who} is signed in again.`}
    />
  );
}

interface UnsavedNoticeProps {
  what: string;
  act: ComponentChildren;
}

function UnsavedNotice({ what, act }: UnsavedNoticeProps) {
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
    downloadDefinition(name, session.editor.definition.peek());
  };
  return <Button onPress={save}>Save as a file</Button>;
}

/** Something else was published while this draft was at work. */
export function OutdatedNotice({ session }: { session: DraftSession }) {
  if (!session.isOutdated.value || !session.editor.mayEdit) return null;
  return (
    <div class="editor-notice" role="status">
      <p>
        <strong>Something else was published meanwhile,</strong> by a program,
        an assistant or a colleague. Bring it in, then you can publish.
      </p>
      <Button onPress={() => session.mergePublished()}>Bring it in</Button>
    </div>
  );
}

// What others did to the template, or to the person at it, while it was open.

interface NoticeProps {
  session: DraftSession;
}

export function TrashNotice({ session }: NoticeProps) {
  const { isTrashed, templateId } = session.view.value;
  if (!isTrashed) return null;
  const restore = async () => {
    await askPublic(`templates/${templateId}/restore`, "POST");
    session.view.value = { ...session.view.peek(), isTrashed: false };
  };
  return (
    <div class="editor-notice" role="status">
      <p>
        <strong>This template is in the trash.</strong> No documents can be made
        of it there. What you change is saved all the same.
      </p>
      {session.editor.mayEdit && (
        <Button onPress={restore}>Take it out again</Button>
      )}
    </div>
  );
}

export function RoleNotice({ session }: NoticeProps) {
  const { mayEdit } = session.editor;
  const [couldEdit] = useState(mayEdit);
  if (mayEdit || !couldEdit) return null;
  return (
    <div class="editor-notice" role="status">
      <p>
        <strong>Your role is viewer now.</strong> You can look at this template,
        not change it. Ask an owner of your organization for the role editor.
      </p>
    </div>
  );
}
