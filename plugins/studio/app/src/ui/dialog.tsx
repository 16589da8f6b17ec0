import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "./button.js";
import { useAction, Form, FormEnd } from "./form.js";
import { Icon } from "./icon.js";
import { Notice } from "./notice.js";
import { toast } from "./toast.js";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** Shown over the page while it is drawn; Escape closes it, and the focus goes back to where it was. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  // Escape; whoever draws the dialog takes it away.
  const cancel = (event: Event) => {
    event.preventDefault();
    onClose();
  };
  return (
    <dialog class="dialog" ref={box} aria-labelledby={id} onCancel={cancel}>
      <div class="dialog-body">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

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

interface NameDialogProps {
  title: string;
  /** What kind of name it is. */
  label?: string;
  hint?: string;
  /** The name that it has now. */
  name?: string;
  /** The button that does it. */
  act: string;
  onName: (name: string) => Promise<void>;
  onClose: () => void;
  /** What else there is to know of it. */
  children?: ComponentChildren;
}

/** Asks for a name; why it is refused is said in place. */
export function NameDialog(props: NameDialogProps) {
  const { title, label = "Name", hint, name: before = "", act } = props;
  const { onName, onClose, children } = props;
  const id = useId();
  const [name, setName] = useState(before);
  const { isBusy, fault, run } = useAction(async () => {
    await onName(name.trim());
    onClose();
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSend={run}>
        <div class="field">
          <label for={id}>{label}</label>
          <input
            id={id}
            class="input"
            required
            maxLength={255}
            pattern=".*\S.*"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          {hint !== undefined && <span class="hint">{hint}</span>}
        </div>
        {children}
        <FormEnd act={act} fault={fault} isBusy={isBusy} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

interface ShownOnceProps {
  secret: string;
  /** What it is: "key". */
  what: string;
  /** That it is not shown again, and what it is for. */
  why: string;
  onClose: () => void;
}

/** The only sight of something secret, to be copied. */
export function ShownOnce({ secret, what, why, onClose }: ShownOnceProps) {
  const copy = async () => {
    await navigator.clipboard.writeText(secret);
    toast(`The ${what} was copied.`);
  };
  return (
    <>
      <Notice tone="warn" title="Keep it now">
        <p>{why}</p>
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
