import type { ComponentChildren } from "preact";
import { Button } from "../../../ui/button.js";
import { Icon } from "../../../ui/icon.js";

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
            <Button
              kind="quiet"
              isIcon
              label={`Move ${noun} ${index + 1} up`}
              onPress={() => onChange(raised(list, index))}
            >
              <Icon name="up" size={14} />
            </Button>
          )}
          {list.length > least && (
            <Button
              kind="quiet"
              isIcon
              label={`Take ${noun} ${index + 1} away`}
              onPress={() => onChange(list.filter((_one, at) => at !== index))}
            >
              <Icon name="close" size={14} />
            </Button>
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
