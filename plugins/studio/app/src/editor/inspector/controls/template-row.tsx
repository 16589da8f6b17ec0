import { TemplateField } from "../../text/template-field.js";

interface TemplateRowProps {
  label: string;
  value: string;
  /** The component whose scope its variables have; null for the record alone. */
  owner: string | null;
  placeholder?: string;
  hint?: string | undefined;
  isMultiline?: boolean;
  onChange: (value: string) => void;
}

/** Words with data in them. */
export function TemplateRow({ label, hint, ...field }: TemplateRowProps) {
  return (
    <div class={`prop-row ${field.isMultiline ? "wide" : ""}`}>
      {/* It names itself. */}
      <span class="prop-label" aria-hidden="true">
        {label}
      </span>
      <TemplateField
        {...field}
        {...(hint !== undefined && { hint })}
        label={label}
        isBare
      />
    </div>
  );
}
