import { useId, useState } from "preact/hooks";
import { AssetPicker } from "../../../assets/asset-picker.js";
import { Button } from "../../../ui/button.js";
import { Icon } from "../../../ui/icon.js";
import { TemplateField } from "../../text/typed-text.js";
import { t } from "../../../messages/index.js";

interface TemplateRowProps {
  label: string;
  value: string;
  /** The component that determines the available variables; null for the record only. */
  owner: string | null;
  placeholder?: string;
  hint?: string | undefined;
  isMultiline?: boolean;
  onChange: (value: string) => void;
}

/** A text with placeholders. */
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

interface PictureFieldProps {
  label: string;
  value: string;
  /** The component that determines the available variables; null for the record only. */
  owner: string | null;
  onChange: (value: string) => void;
}

/** A picture from the library, from the data or by URL. */
export function PictureField(props: PictureFieldProps) {
  const [isOpen, setOpen] = useState(false);
  const { onChange } = props;
  return (
    <>
      <PictureChoice {...props} onOpen={() => setOpen(true)} />
      <TemplateRow
        {...props}
        label={t("style.address")}
        placeholder={t("style.httpsOr")}
      />
      {isOpen && (
        <AssetPicker
          kind="image"
          onChoose={({ id }) => {
            onChange(`asset:${id}`);
            setOpen(false);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function PictureChoice(props: PictureFieldProps & { onOpen: () => void }) {
  const { label, value, onChange, onOpen } = props;
  const id = useId();
  return (
    <div class="prop-row">
      <span class="prop-label" id={id}>
        {label}
      </span>
      <div class="prop-pair" role="group" aria-labelledby={id}>
        <Button onPress={onOpen}>
          <Icon name="image" size={16} />
          {value === "" ? t("style.choose") : t("common.change")}
        </Button>
        {value !== "" && (
          <Button
            kind="quiet"
            isIcon
            label={t("style.removeLabel", { label: label.toLowerCase() })}
            onPress={() => onChange("")}
          >
            <Icon name="close" size={14} />
          </Button>
        )}
      </div>
    </div>
  );
}
