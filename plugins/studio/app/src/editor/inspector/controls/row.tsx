import type { ComponentChildren } from "preact";

interface RowProps {
  /** The id of the field that the label names. */
  id: string;
  label: string;
  hint?: string | undefined;
  children: ComponentChildren;
}

/** One property: its name on the left, what changes it on the right. */
export function Row({ id, label, hint, children }: RowProps) {
  return (
    <div class="prop-row">
      <label for={id}>{label}</label>
      <div class="prop-control">
        {children}
        {hint && <small class="prop-hint">{hint}</small>}
      </div>
    </div>
  );
}
