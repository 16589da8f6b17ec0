import { Dialog } from "../../ui/dialog.js";
import { ShownOnce } from "../../ui/shown-once.js";

interface SecretShownProps {
  secret: string;
  onClose: () => void;
}

/** The only sight of an endpoint's new secret. */
export function SecretShown({ secret, onClose }: SecretShownProps) {
  return (
    <Dialog title="Its secret" onClose={onClose}>
      <ShownOnce
        secret={secret}
        what="secret"
        why="It is shown this once. Your program checks with it that messages come from here."
        onClose={onClose}
      />
    </Dialog>
  );
}
