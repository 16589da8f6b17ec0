import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { askPublic } from "../../api.js";
import { pageOwner, standing } from "../../api.js";
import { Button } from "../../ui/button.js";
import type { DraftSession } from "./draft-session.js";
import { downloadDefinition } from "./download-definition.js";

interface SessionProps {
  session: DraftSession;
}

/** Explains why changes could not be saved. */
export function SaveErrorNotice({ session }: SessionProps) {
  const state = session.state.value;
  if (state.kind !== "failed") return null;
  // A banner above already explains that the user is signed out.
  if (standing.value !== "good") return <SignedOutNotice session={session} />;
  return (
    <UnsavedNotice
      act={<Button onPress={() => session.flush()}>Try now</Button>}
      what={`${state.why} They are kept in this browser until saving succeeds.`}
    />
  );
}

function SignedOutNotice({ session }: SessionProps) {
  const name = pageOwner.value?.user.name;
  return (
    <UnsavedNotice
      act={<DownloadButton session={session} />}
      what={`They are kept in this tab and browser. They will be saved once ${name === undefined ? "you sign" : `${name} signs`} in again.`}
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

function DownloadButton({ session }: SessionProps) {
  const save = () => {
    const { name } = session.view.peek();
    downloadDefinition(name, session.editor.definition.peek());
  };
  return <Button onPress={save}>Save as a file</Button>;
}

/** Another definition was published since the draft began. */
export function OutdatedNotice({ session }: { session: DraftSession }) {
  if (!session.isOutdated.value || !session.editor.mayEdit) return null;
  return (
    <div class="editor-notice" role="status">
      <p>
        <strong>A newer version was published</strong> by a program, an
        assistant or a colleague. Merge it into your draft, then publish.
      </p>
      <Button onPress={() => session.mergePublished()}>Merge it</Button>
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
        <strong>This template is in the trash.</strong> It cannot generate
        documents until you restore it. Your changes are still saved.
      </p>
      {session.editor.mayEdit && <Button onPress={restore}>Restore it</Button>}
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
        <strong>You are now a viewer.</strong> You can view this template but
        not change it. Ask an owner of your organization for the editor role.
      </p>
    </div>
  );
}
