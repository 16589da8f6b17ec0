import type { ComponentChildren } from "preact";
import { useAction } from "../action.js";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";
import { Notice } from "./notice.js";

interface AskFirstProps {
  title: string;
  /** What comes of it. */
  children: ComponentChildren;
  /** The button that does it. */
  act: string;
  /** The button that does not. */
  keep?: string;
  onAct: () => Promise<void>;
  onClose: () => void;
}

/** Asks before something that cannot be taken back; why it failed is said in place. */
export function AskFirst(props: AskFirstProps) {
  const { title, children, act, keep = "Keep it", onAct, onClose } = props;
  const { isBusy, fault, run } = useAction(async () => {
    await onAct();
    onClose();
  });
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {fault && <Notice tone="bad" title={fault} />}
      <div class="dialog-end">
        <Button onPress={onClose}>{keep}</Button>
        <Button kind="danger" isBusy={isBusy} onPress={run}>
          {act}
        </Button>
      </div>
    </Dialog>
  );
}
