import { ask } from "../../api.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { toast } from "../../ui/toast.js";
import type { KeyInfo } from "../../../../../../core/plugin-api/app-plugin.js";

/** Asks first: a key that was revoked never works again. */
export function RevokeKey({
  one,
  onRevoked,
  onClose,
}: {
  one: KeyInfo;
  onRevoked: () => Promise<void>;
  onClose: () => void;
}) {
  const revoke = async () => {
    await ask(`keys/${one.id}`, "DELETE");
    await onRevoked();
    onClose();
    toast(`${one.name} was revoked.`);
  };
  return (
    <Dialog title={`Revoke ${one.name}?`} onClose={onClose}>
      <p>
        Programs that use <code>{one.prefix}…</code> are refused from now on.
        This cannot be undone.
      </p>
      <div class="dialog-end">
        <Button onPress={onClose}>Keep it</Button>
        <Button kind="danger" onPress={revoke}>
          Revoke
        </Button>
      </div>
    </Dialog>
  );
}
