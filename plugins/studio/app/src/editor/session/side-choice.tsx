import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { ProjectData } from "../../../../../../core/plugin-api/definition.js";
import { treeOf } from "../model/tree.js";
import { TextView } from "../text/text-view.js";
import { isText } from "./join/both-texts.js";
import type { Conflict, Side } from "./join/join.js";
import { partName } from "./words/part-name.js";
import { propertyWords } from "./words/property-words.js";
import { valueWords } from "./words/value-words.js";

interface SideChoiceProps {
  conflict: Conflict;
  /** Who else changed it. */
  them: string;
  /** In which the component is looked for. */
  definitions: readonly ProjectData[];
  side: Side;
  onChoose: (side: Side) => void;
}

/** One thing that two people changed, with both values. */
export function SideChoice(props: SideChoiceProps) {
  const { conflict, them, definitions, side, onChoose } = props;
  const { owner, path } = conflict;
  const name = useId();
  const of = owner === null ? "The template" : ownerName(owner, definitions);
  return (
    <fieldset class="side-choice">
      <legend>
        {of} <span class="muted">· {propertyWords(path)}</span>
      </legend>
      <div class="side-values">
        <Value
          {...{ name, side, onChoose }}
          words="Mine"
          whose="mine"
          value={<Told {...props} value={conflict.mine} />}
        />
        <Value
          {...{ name, side, onChoose }}
          words={`From ${them}`}
          whose="theirs"
          value={<Told {...props} value={conflict.theirs} />}
        />
      </div>
      {isText(path, conflict.mine) && isText(path, conflict.theirs) && (
        <Value
          {...{ name, side, onChoose }}
          words="Both"
          whose="both"
          value="One below the other, mine first"
        />
      )}
    </fieldset>
  );
}

interface ValueProps extends Pick<SideChoiceProps, "side" | "onChoose"> {
  /** Of the choices that belong together. */
  name: string;
  words: string;
  whose: Side;
  value: ComponentChildren;
}

function Value({ name, words, whose, value, side, onChoose }: ValueProps) {
  const id = useId();
  return (
    <label class="side-value" for={id}>
      <input
        id={id}
        type="radio"
        name={name}
        checked={side === whose}
        onChange={() => onChoose(whose)}
      />
      <span class="words">
        <span class="muted small">{words}</span>
        <span>{value}</span>
      </span>
    </label>
  );
}

/** A text as the page shows it, the whole of it; anything else in words. */
function Told({
  conflict: { owner, path },
  definitions,
  value,
}: SideChoiceProps & { value: unknown }) {
  if (!isText(path, value)) return <>{told(value, path, definitions)}</>;
  if (value.length === 0) return <>Nothing</>;
  return (
    <span class="side-text">
      <TextView text={value} owner={owner} />
    </span>
  );
}

function ownerName(id: string, definitions: readonly ProjectData[]): string {
  for (const definition of definitions) {
    const entry = treeOf(definition).entries.get(id);
    if (entry) return partName(entry.component);
  }
  return "A component";
}

/** A place is told by what it is in. */
function told(
  value: unknown,
  path: readonly string[],
  definitions: readonly ProjectData[],
): string {
  if (path[0] !== "place") return valueWords(value);
  const [id = "", slot] = String(value).split("/");
  if (slot === undefined) return id === "body" ? "On the page" : `In the ${id}`;
  return `In ${ownerName(id, definitions)}`;
}
