import type { ComponentChildren, TargetedMouseEvent } from "preact";
import { useState } from "preact/hooks";
import { wordsOf } from "../api.js";
import { toast } from "./toast.js";

/** Draws a dialog, which ends with a call of `close`. */
export type DrawDialog = (close: () => void) => ComponentChildren;

interface ButtonProps {
  children: ComponentChildren;
  kind?: "primary" | "danger" | "quiet";
  type?: "button" | "submit";
  /** Accessible name, if the content does not suffice. */
  label?: string;
  isBusy?: boolean;
  isIcon?: boolean;
  isWide?: boolean;
  pressed?: boolean;
  /** Why it is disabled, which a press says; null when it is enabled. */
  reason?: string | null;
  /** While its promise is pending, clicks are ignored; a rejection is shown as a toast. */
  onPress?: () => unknown;
  /** What a press opens in place of `onPress`. */
  dialog?: DrawDialog;
}

export function Button({
  children,
  kind,
  type = "button",
  label,
  isBusy = false,
  isIcon = false,
  isWide = false,
  pressed,
  reason = null,
  onPress,
  dialog,
}: ButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const { waits, press } = usePress(
    dialog ? () => setOpen(true) : onPress,
    isBusy,
    reason,
  );
  const classes = ["button", kind, isIcon && "icon", isWide && "wide"];
  return (
    <>
      <button
        type={type}
        class={classes.filter(Boolean).join(" ")}
        aria-label={label}
        title={reason ?? (isIcon ? label : undefined)}
        aria-disabled={waits}
        aria-pressed={pressed}
        onClick={(event) => void press(event)}
      >
        {isBusy && <span class="spinner" aria-hidden="true" />}
        {children}
      </button>
      {isOpen && dialog?.(() => setOpen(false))}
    </>
  );
}

function usePress(
  onPress: ButtonProps["onPress"],
  isBusy: boolean,
  reason: string | null,
) {
  const [isAtWork, setAtWork] = useState(false);
  const waits = isBusy || isAtWork || reason !== null;
  const press = async (event: TargetedMouseEvent<HTMLButtonElement>) => {
    if (waits) event.preventDefault();
    if (reason !== null) toast(reason);
    if (waits || !onPress) return;
    setAtWork(true);
    try {
      await onPress();
    } catch (error) {
      toast(wordsOf(error));
    } finally {
      setAtWork(false);
    }
  };
  return { waits, press };
}
