import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { wordsOf } from "../api.js";
import { Button } from "./button.js";
import { Notice } from "./notice.js";

interface FormProps {
  class?: string;
  onSend: () => Promise<void>;
  children: ComponentChildren;
}

/** A form that is sent by its script. */
export function Form({
  class: classes = "stack",
  onSend,
  children,
}: FormProps) {
  return (
    <form
      class={classes}
      onSubmit={(event) => {
        event.preventDefault();
        void onSend();
      }}
    >
      {children}
    </form>
  );
}

interface FormEndProps {
  /** What the form does, as its button says it. */
  act: ComponentChildren;
  /** Why it was not done; null while nobody has tried, and once it is. */
  fault: string | null;
  isBusy: boolean;
  onCancel: () => void;
}

/** The end of a dialog's form: what went wrong, and the two ways out. */
export function FormEnd({ act, fault, isBusy, onCancel }: FormEndProps) {
  return (
    <>
      {fault && <Notice tone="bad" title={fault} />}
      <div class="dialog-end">
        <Button onPress={onCancel}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {act}
        </Button>
      </div>
    </>
  );
}

interface Action {
  isBusy: boolean;
  /** Why it failed the last time. */
  fault: string | null;
  run: () => Promise<void>;
}

/** Something that a person starts, and that may fail. Never twice at a time. */
export function useAction(act: () => Promise<void>): Action {
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const [fault, setFault] = useState<string | null>(null);
  const run = async () => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    setFault(null);
    try {
      await act();
    } catch (error) {
      setFault(wordsOf(error));
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return { isBusy, fault, run };
}

/**
 * The letters in a field, while the value is what they made of it; null once it was changed elsewhere, as by undo. No
 * letter waits for a drawing: one that follows at once finds those before it.
 * @returns them, and what takes them, with the value that they make
 */
export function useTyped<T>(
  value: T,
): [typed: string | null, take: (text: string | null, made: T) => void] {
  const [state, setState] = useState<{ text: string; made: T } | null>(null);
  const take = (text: string | null, made: T) =>
    setState(text === null ? null : { text, made });
  return [state && state.made === value ? state.text : null, take];
}
