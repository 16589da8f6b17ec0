import type { ComponentChildren } from "preact";
import { Button } from "./button.js";
import { Notice } from "./notice.js";

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
