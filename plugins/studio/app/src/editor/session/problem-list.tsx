import type { Problem } from "../../../../../../core/plugin-api/errors.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { useEditor } from "../model/editor.js";
import { componentAt, jsonPathOf } from "../model/tree.js";
import { partName, propertyWords } from "./descriptions.js";

interface ProblemListProps {
  problems: readonly Problem[];
  /** After the component that is to be mended was selected. */
  onShow?: () => void;
}

/** What the checker found, in its own words, each with a way to where it is. */
export function ProblemList({ problems, onShow }: ProblemListProps) {
  return (
    <ul class="problem-list">
      {problems.map((problem) => (
        <ProblemLine
          key={`${problem.path} ${problem.code} ${problem.message}`}
          problem={problem}
          onShow={onShow}
        />
      ))}
    </ul>
  );
}

function ProblemLine({
  problem,
  onShow,
}: {
  problem: Problem;
  onShow: (() => void) | undefined;
}) {
  const editor = useEditor();
  const { path, message, hint } = problem;
  const tree = editor.tree.value;
  const id = componentAt(tree, path);
  const entry = id === null ? undefined : tree.entries.get(id);
  const component = entry?.component;
  const label = labelOf(path.slice(jsonPathOf(entry?.path ?? []).length));
  const show = () => {
    editor.selected.value = id;
    onShow?.();
  };
  return (
    <li>
      <Icon name="warn" size={18} />
      <span class="words">
        <strong>{component ? partName(component) : "The template"}</strong>
        <span>
          {label !== "" && <span class="muted">{label}: </span>}
          {message}
        </span>
        {hint && <span class="muted">{hint}</span>}
      </span>
      {component && <Button onPress={show}>Show</Button>}
    </li>
  );
}

/** Which property it is about, of what is left of the path. */
function labelOf(rest: string): string {
  const names = [...rest.matchAll(/\.([\w-]+)/g)].map(([, name = ""]) => name);
  return names.length === 0 ? "" : propertyWords(names);
}
