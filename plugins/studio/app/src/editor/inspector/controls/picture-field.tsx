import { useId, useState } from "preact/hooks";
import { AssetPicker } from "../../../assets/asset-picker.js";
import { Button } from "../../../ui/button.js";
import { Icon } from "../../../ui/icon.js";
import { TemplateRow } from "./template-row.js";

interface PictureFieldProps {
  label: string;
  value: string;
  /** The component whose scope its variables have; null for the record alone. */
  owner: string | null;
  onChange: (value: string) => void;
}

/** A picture: of the library, of the data, or at an address. */
export function PictureField({
  label,
  value,
  owner,
  onChange,
}: PictureFieldProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div class="prop-row">
        <span class="prop-label" id={id}>
          {label}
        </span>
        <div class="prop-pair" role="group" aria-labelledby={id}>
          <Button onPress={() => setOpen(true)}>
            <Icon name="image" size={16} />
            {value === "" ? "Choose" : "Change"}
          </Button>
          {value !== "" && (
            <Button
              kind="quiet"
              isIcon
              label={`Take away: ${label.toLowerCase()}`}
              onPress={() => onChange("")}
            >
              <Icon name="close" size={14} />
            </Button>
          )}
        </div>
      </div>
      <TemplateRow
        label="Address"
        value={value}
        owner={owner}
        placeholder="https://… or /"
        onChange={onChange}
      />
      {isOpen && (
        <AssetPicker
          kind="image"
          onChoose={({ id: assetId }) => {
            onChange(`asset:${assetId}`);
            setOpen(false);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
