import { useId } from "preact/hooks";
import type { ProjectData } from "../../../../../../core/contract/definition.js";
import { treeOf } from "../model/tree.js";
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
  const name = owner === null ? "The template" : ownerName(owner, definitions);
  return (
    <fieldset class="side-choice">
      <legend>
        {name} <span class="muted">· {propertyWords(path)}</span>
      </legend>
      <Value
        words="Mine"
        isChosen={side === "mine"}
        value={told(conflict.mine, path, definitions)}
        onChoose={() => onChoose("mine")}
      />
      <Value
        words={`From ${them}`}
        isChosen={side === "theirs"}
        value={told(conflict.theirs, path, definitions)}
        onChoose={() => onChoose("theirs")}
      />
    </fieldset>
  );
}

interface ValueProps {
  words: string;
  value: string;
  isChosen: boolean;
  onChoose: () => void;
}

function Value({ words, value, isChosen, onChoose }: ValueProps) {
  const id = useId();
  return (
    <label class="side-value" for={id}>
      <input id={id} type="radio" checked={isChosen} onChange={onChoose} />
      <span class="words">
        <span class="muted small">{words}</span>
        <span>{value}</span>
      </span>
    </label>
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
