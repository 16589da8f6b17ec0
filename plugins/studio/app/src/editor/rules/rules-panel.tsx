import "./rules.css";
import { useEditor } from "../model/editor-context.js";
import { Group } from "../inspector/controls/fields.js";
import { ConditionRules } from "./condition-rules.js";
import { RepeatRules } from "./repeat-rules.js";

/** For what a component repeats, and when it is shown. */
export function RulesPanel({ id }: { id: string }) {
  const { tree, mayEdit } = useEditor();
  const component = tree.value.entries.get(id)?.component;
  if (!component) return null;
  return (
    <fieldset class="rules" disabled={!mayEdit}>
      <legend class="hidden-text">Rules</legend>
      <Group title="Repeat">
        <RepeatRules id={id} component={component} />
      </Group>
      <Group title="Show only if">
        <ConditionRules id={id} component={component} />
      </Group>
    </fieldset>
  );
}
