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
export function PictureField(props: PictureFieldProps) {
  const [isOpen, setOpen] = useState(false);
  const { onChange } = props;
  return (
    <>
      <PictureChoice {...props} onOpen={() => setOpen(true)} />
      <TemplateRow {...props} label="Address" placeholder="https://… or /" />
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
  );
}
