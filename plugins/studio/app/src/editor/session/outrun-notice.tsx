import { Button } from "../../ui/button.js";
import type { DraftSession } from "./draft-session.js";

/** Something else was published while this draft was at work. */
export function OutrunNotice({ session }: { session: DraftSession }) {
  if (!session.isOutrun.value || !session.editor.mayEdit) return null;
  return (
    <div class="editor-notice" role="status">
      <p>
        <strong>Something else was published meanwhile,</strong> by a program,
        an assistant or a colleague. Bring it in, then you can publish.
      </p>
      <Button onPress={() => session.bringIn()}>Bring it in</Button>
    </div>
  );
}
