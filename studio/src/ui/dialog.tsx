import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button, type DrawDialog } from "./button.js";
import { Form, FormActions, InputField, useAction } from "./form.js";
import { Icon } from "./icon.js";
import { Notice } from "./notice.js";
import { toast } from "./toast.js";
import { t } from "../messages/index.js";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** A modal dialog, open while it is rendered. Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  // The component that renders the dialog removes it.
  const cancel = (event: Event) => {
    // The `cancel` of a file input inside bubbles.
    if (event.target !== event.currentTarget) return;
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

interface ConfirmDialogProps {
  title: string;
  /** The consequences. */
  children: ComponentChildren;
  /** Label of the button that confirms. */
  act: string;
  /** Label of the button that cancels. */
  keep?: string;
  onAct: () => unknown;
  onClose: () => void;
}

/** Asks for confirmation before something that cannot be undone. Shows the error if it fails. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    title,
    children,
    act,
    keep = t("common.cancel"),
    onAct,
    onClose,
  } = props;
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

interface Confirmation extends Omit<
  ConfirmDialogProps,
  "children" | "onClose"
> {
  /** The consequences. */
  text: ComponentChildren;
}

/** The dialog of a button or of a menu's action that asks first. */
export function askFirst({ text, ...question }: Confirmation): DrawDialog {
  return (close) => (
    <ConfirmDialog {...question} onClose={close}>
      <p>{text}</p>
    </ConfirmDialog>
  );
}

interface FormDialogProps {
  title: string;
  /** Label of the submit button. */
  act: ComponentChildren;
  /** Whether the dialog cannot be closed during the request, because its result is shown only once. */
  isKept?: boolean;
  /** Closes the dialog, if it is to be closed. */
  onSend: () => Promise<void>;
  onClose: () => void;
  children: ComponentChildren;
}

/** Shows the error if `onSend` rejects. */
export function FormDialog(props: FormDialogProps) {
  const { title, act, isKept = false, onSend, onClose, children } = props;
  const { isBusy, fault, run } = useAction(onSend);
  const close = () => {
    if (!isKept || !isBusy) onClose();
  };
  return (
    <Dialog title={title} onClose={close}>
      <Form onSend={run}>
        {children}
        <FormActions act={act} fault={fault} isBusy={isBusy} onCancel={close} />
      </Form>
    </Dialog>
  );
}

interface NameDialogProps {
  title: string;
  label?: string;
  hint?: string;
  /** The current name. */
  name?: string;
  /** Label of the submit button. */
  act: string;
  onName: (name: string) => Promise<void>;
  onClose: () => void;
  children?: ComponentChildren;
}

/** Shows the error if `onName` rejects. */
export function NameDialog(props: NameDialogProps) {
  const {
    label = t("common.name"),
    hint,
    name: current = "",
    onName,
    children,
    ...dialog
  } = props;
  const [name, setName] = useState(current);
  const send = async () => {
    await onName(name.trim());
    dialog.onClose();
  };
  return (
    <FormDialog {...dialog} onSend={send}>
      <InputField
        label={label}
        hint={hint}
        required
        maxLength={255}
        pattern=".*\S.*"
        value={name}
        onChange={setName}
      />
      {children}
    </FormDialog>
  );
}

/** The dialog of a button or of a menu's action that asks for a name. */
export function askName(
  question: Omit<NameDialogProps, "onClose">,
): DrawDialog {
  return (close) => <NameDialog {...question} onClose={close} />;
}

/** The dialog of a button or of a menu's action that renames something. */
export function askRename(
  name: string,
  onName: (name: string) => Promise<void>,
): DrawDialog {
  const title = t("common.renameName", { name });
  return askName({ title, name, act: t("common.rename"), onName });
}

/** The dialog of a button or of a menu's action that deletes something. @param text the consequences */
export function askDelete(
  name: string,
  text: string,
  onAct: () => unknown,
): DrawDialog {
  const title = t("common.deleteNameQuestion", { name });
  return askFirst({ title, text, act: t("common.delete"), onAct });
}

interface SecretDialogProps {
  title: string;
  secret: string;
  /** The message after it was copied. */
  copied: string;
  /** That it is not shown again, and what it is for. */
  notice: string;
  onClose: () => void;
}

/** Shows a new secret, which cannot be read again later. */
export function SecretDialog(props: SecretDialogProps) {
  const { title, secret, copied, notice, onClose } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <Notice tone="warn" title={t("common.saveItNow")}>
        <p>{notice}</p>
      </Notice>
      <code class="command secret">{secret}</code>
      <div class="dialog-end">
        <Button onPress={() => copyText(secret, copied)}>
          <Icon name="copy" />
          {t("common.copy")}
        </Button>
        <Button kind="primary" onPress={onClose}>
          {t("common.iveSavedIt")}
        </Button>
      </div>
    </Dialog>
  );
}

export async function copyText(text: string, confirmation: string) {
  await navigator.clipboard.writeText(text);
  toast(confirmation);
}
