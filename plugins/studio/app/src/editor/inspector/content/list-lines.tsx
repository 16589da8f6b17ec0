import type { ComponentChildren } from "preact";
import { Button } from "../../../ui/button.js";
import { Icon, type IconName } from "../../../ui/icon.js";

interface ListLinesProps<T> {
  label: string;
  /** One of them: "column". */
  noun: string;
  list: readonly T[];
  draw: (one: T, index: number) => ComponentChildren;
  make: () => T;
  /** How many there are at least. */
  least?: number;
  onChange: (list: T[]) => void;
}

/** A few things of a kind, each with fields of its own; added, moved and taken away. */
export function ListLines<T>({
  label,
  noun,
  list,
  draw,
  make,
  least = 0,
  onChange,
}: ListLinesProps<T>) {
  return (
    <fieldset class="prop-list">
      <legend>{label}</legend>
      {list.map((one, index) => (
        <div class="prop-line" key={index}>
          <div class="prop-line-fields">{draw(one, index)}</div>
          {index > 0 && (
            <LineButton
              label={`Move ${noun} ${index + 1} up`}
              icon="up"
              onPress={() => onChange(raised(list, index))}
            />
          )}
          {list.length > least && (
            <LineButton
              label={`Take ${noun} ${index + 1} away`}
              icon="close"
              onPress={() => onChange(list.filter((_one, at) => at !== index))}
            />
          )}
        </div>
      ))}
      <Button kind="quiet" onPress={() => onChange([...list, make()])}>
        <Icon name="plus" size={14} />
        Add a {noun}
      </Button>
    </fieldset>
  );
}

interface LineButtonProps {
  label: string;
  icon: IconName;
  onPress: () => void;
}

function LineButton({ label, icon, onPress }: LineButtonProps) {
  return (
    <Button kind="quiet" isIcon label={label} onPress={onPress}>
      <Icon name={icon} size={14} />
    </Button>
  );
}

function raised<T>(list: readonly T[], index: number): T[] {
  const one = list.slice(index, index + 1);
  const before = list.slice(index - 1, index);
  return [
    ...list.slice(0, index - 1),
    ...one,
    ...before,
    ...list.slice(index + 1),
  ];
}
