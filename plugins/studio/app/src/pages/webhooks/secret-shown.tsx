import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Icon } from "../../ui/icon.js";
import { Notice } from "../../ui/notice.js";
import { toast } from "../../ui/toast.js";

interface SecretShownProps {
  secret: string;
  onClose: () => void;
}

/** The only sight of an endpoint's new secret. */
export function SecretShown({ secret, onClose }: SecretShownProps) {
  const copy = async () => {
    await navigator.clipboard.writeText(secret);
    toast("The secret was copied.");
  };
  return (
    <Dialog title="Its secret" onClose={onClose}>
      <Notice tone="warn" title="Keep it now">
        <p>
          It is shown this once. Your program checks with it that messages come
          from here.
        </p>
      </Notice>
      <code class="command secret">{secret}</code>
      <div class="dialog-end">
        <Button onPress={copy}>
          <Icon name="copy" />
          Copy
        </Button>
        <Button kind="primary" onPress={onClose}>
          I have kept it
        </Button>
      </div>
    </Dialog>
  );
}
