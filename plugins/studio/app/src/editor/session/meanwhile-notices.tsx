import { useState } from "preact/hooks";
import { askPublic } from "../../api.js";
import { Button } from "../../ui/button.js";
import type { DraftSession } from "./draft-session.js";

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
