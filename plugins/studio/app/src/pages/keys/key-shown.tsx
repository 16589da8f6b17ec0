import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { Notice } from "../../ui/notice.js";
import { toast } from "../../ui/toast.js";

/** The only sight of a new key. */
export function KeyShown({
  secret,
  onClose,
}: {
  secret: string;
  onClose: () => void;
}) {
  const copy = async () => {
    await navigator.clipboard.writeText(secret);
    toast("The key was copied.");
  };
  return (
    <>
      <Notice tone="warn" title="Keep it now">
        <p>It is shown this once and kept nowhere. Put it on your server.</p>
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
    </>
  );
}
