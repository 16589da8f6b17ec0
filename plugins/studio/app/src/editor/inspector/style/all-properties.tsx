import { useId, useState } from "preact/hooks";
import type { Style } from "../../../../../../../core/plugin-api/definition.js";
import { Button } from "../../../ui/button.js";
import { Icon } from "../../../ui/icon.js";
import { useEditor } from "../../model/editor.js";
import { Group } from "../controls/group.js";
import { Suggestions } from "../controls/suggestions.js";
import type { StyleDesk } from "./use-style.js";

/** Every property that a style has, as it is written; a value may have data in it. */
export function AllProperties({ desk }: { desk: StyleDesk }) {
  const set = Object.entries(desk.style);
  const count = set.length === 0 ? "" : ` (${set.length})`;
  return (
    <Group title={`All properties${count}`} isFolded>
      {set.map(([name, value]) => (
        <PropertyRow desk={desk} name={name} value={value} key={name} />
      ))}
      <NewProperty desk={desk} />
    </Group>
  );
}

interface PropertyRowProps {
  desk: StyleDesk;
  name: string;
  value: string;
}

function PropertyRow({ desk, name, value }: PropertyRowProps) {
  const id = useId();
  const property = usePropertyNamed(name);
  if (!property) return null;
  return (
    <div class="prop-row wide">
      <label for={id}>{name}</label>
      <div class="prop-pair">
        <input
          id={id}
          class="input small"
          spellcheck={false}
          value={value}
          onInput={({ currentTarget }) =>
            desk.set(property, currentTarget.value)
          }
          onBlur={desk.leave}
        />
        <Button
          kind="quiet"
          isIcon
          label={`Take ${name} away`}
          onPress={() => desk.set(property, undefined)}
        >
          <Icon name="close" size={14} />
        </Button>
      </div>
    </div>
  );
}

function NewProperty({ desk }: { desk: StyleDesk }) {
  const id = useId();
  const list = useId();
  const [typed, setTyped] = useState("");
  const { styleProperties } = useEditor().design;
  const property = usePropertyNamed(typed.trim().toLowerCase());
  const add = (event: Event) => {
    event.preventDefault();
    if (!property) return;
    desk.set(property, desk.style[property] ?? "");
    setTyped("");
  };
  return (
    <form class="prop-row wide" onSubmit={add}>
      <label for={id}>Another property</label>
      <div class="prop-pair">
        <input
          id={id}
          class="input small"
          list={list}
          spellcheck={false}
          placeholder="letter-spacing"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Suggestions
          id={list}
          options={styleProperties.map((one) => [one, ""])}
        />
        <Button type="submit" kind="quiet" isIcon label="Add the property">
          <Icon name="plus" size={14} />
        </Button>
      </div>
      {typed !== "" && !property && (
        <small class="prop-hint">Choose one of the list.</small>
      )}
    </form>
  );
}

function usePropertyNamed(name: string): keyof Style | undefined {
  return useEditor().design.styleProperties.find((one) => one === name);
}
