import { useId, useState } from "preact/hooks";
import { Icon } from "../../../ui/icon.js";
import { LengthInput } from "./length-field.js";
import { type Side, SIDES, type Sides } from "./sides.js";

const words = {
  top: "Top",
  right: "Right",
  bottom: "Bottom",
  left: "Left",
} as const;

interface SidesFieldProps {
  label: string;
  /** The length of all sides, or those of some. */
  value: string | Sides | undefined;
  unit?: string;
  isRelative?: boolean;
  placeholder?: string;
  onChange: (value: string | Sides | undefined) => void;
  onLeave?: () => void;
}

/** A length for all four sides, or one for each. */
export function SidesField(props: SidesFieldProps) {
  const { label, value, onChange } = props;
  const id = useId();
  const [isApart, setApart] = useState(typeof value === "object");
  const sides = typeof value === "object" ? value : everySide(value);
  const turn = () => {
    if (isApart) onChange(sides.top ?? sides.left);
    setApart(!isApart);
  };
  return (
    <div class="prop-row tall">
      <span class="prop-label" id={id}>
        {label}
      </span>
      <div class="sides" role="group" aria-labelledby={id}>
        {!isApart && (
          <LengthInput
            {...props}
            id={`${id}-all`}
            label={`${label}, all sides`}
            value={typeof value === "string" ? value : undefined}
          />
        )}
        <button
          type="button"
          class="sides-turn"
          aria-pressed={isApart}
          aria-label={`${label}: each side by itself`}
          title="Each side by itself"
          onClick={turn}
        >
          <Icon name="box" size={16} />
        </button>
        {isApart && <EachSide {...props} id={id} sides={sides} />}
      </div>
    </div>
  );
}

function EachSide(props: SidesFieldProps & { id: string; sides: Sides }) {
  const { id, sides, label, onChange } = props;
  const setSide = (side: Side, length: string | undefined) => {
    const { [side]: _old, ...others } = sides;
    const next = length === undefined ? others : { ...others, [side]: length };
    onChange(Object.keys(next).length === 0 ? undefined : next);
  };
  return (
    <>
      {SIDES.map((side) => (
        <label class="one-side" key={side}>
          <span>{words[side]}</span>
          <LengthInput
            {...props}
            id={`${id}-${side}`}
            label={`${label}, ${words[side].toLowerCase()}`}
            value={sides[side]}
            onChange={(length) => setSide(side, length)}
          />
        </label>
      ))}
    </>
  );
}

function everySide(value: string | undefined): Sides {
  if (value === undefined) return {};
  return { top: value, right: value, bottom: value, left: value };
}
