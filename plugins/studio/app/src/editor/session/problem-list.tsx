import type { Problem } from "../../../../../../core/plugin-api/errors.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { useEditor } from "../model/editor-context.js";
import { findComponentAt, toJsonPath } from "../model/tree.js";
import { describeComponent, describeSchemaProperty } from "./descriptions.js";
import { t } from "../../messages/index.js";

interface ProblemListProps {
  problems: readonly Problem[];
  /** Called after the component with the problem was selected. */
  onShow?: () => void;
}

/** The problems that validation found, each with a button that selects its component. */
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
  const id = findComponentAt(tree, path);
  const entry = id === null ? undefined : tree.entries.get(id);
  const component = entry?.component;
  const label = describePlace(path.slice(toJsonPath(entry?.path ?? []).length));
  const show = () => {
    editor.selected.value = id;
    onShow?.();
  };
  return (
    <li>
      <Icon name="warn" size={18} />
      <span class="words">
        <strong>
          {component ? describeComponent(component) : t("draft.template")}
        </strong>
        <span>
          {label !== "" && <span class="muted">{label}: </span>}
          {message}
        </span>
        {hint && <span class="muted">{hint}</span>}
      </span>
      {component && <Button onPress={show}>{t("common.show")}</Button>}
    </li>
  );
}

/** The property that the rest of a problem's path leads to. */
function describePlace(rest: string): string {
  const names = [...rest.matchAll(/\.([\w-]+)/g)].map(([, name = ""]) => name);
  return names.length === 0 ? "" : describeSchemaProperty(names);
}
