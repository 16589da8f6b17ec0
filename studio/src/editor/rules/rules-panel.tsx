import type {
  Component,
  Condition,
  Logic,
} from "../../../../core/plugin-api/definition.js";
import { Button } from "../../ui/button.js";
import { Group, SwitchField } from "../inspector/fields.js";
import { useEditor } from "../model/editor-context.js";
import type { Editor } from "../model/editor.js";
import { updateComponent } from "../model/edits.js";
import { createAlternative } from "./collection-edits.js";
import { LogicEditor } from "./logic-editor.js";
import { RepeatRules } from "./repeat-rules.js";
import "./rules.css";
import { t } from "../../messages/index.js";

export function RulesPanel({ id }: { id: string }) {
  const { tree, mayEdit } = useEditor();
  const component = tree.value.entries.get(id)?.component;
  if (!component) return null;
  return (
    <fieldset class="rules" disabled={!mayEdit}>
      <legend class="hidden-text">{t("common.rules")}</legend>
      <Group title={t("rules.repeat")} part="repeat">
        <RepeatRules id={id} component={component} />
      </Group>
      <Group title={t("rules.showOnlyIf")} part="condition">
        <ConditionRules id={id} component={component} />
      </Group>
    </fieldset>
  );
}

interface ConditionRulesProps {
  id: string;
  component: Component;
}

const noRules: Logic = { combinator: "and", rules: [] };

function ConditionRules({ id, component }: ConditionRulesProps) {
  const editor = useEditor();
  const { condition } = component;
  const setLogic = (logic: Logic, thread: string | null) => {
    const isLeft = logic.rules.length > 0 || condition?.else;
    const next = isLeft ? logic : undefined;
    setCondition(editor, id, next, t("rules.changeWhenItIsShown"), thread);
  };
  const always = () =>
    setCondition(editor, id, undefined, t("rules.alwaysShowIt"), null);
  return (
    <>
      {!condition && <p class="prop-hint">{t("rules.alwaysShown")}</p>}
      <LogicEditor
        logic={condition ?? noRules}
        owner={id}
        where="condition"
        onChange={setLogic}
      />
      {condition && (
        <>
          <Otherwise id={id} component={component} condition={condition} />
          <div class="rule-adds">
            <Button kind="quiet" onPress={always}>
              {t("rules.alwaysShowIt")}
            </Button>
          </div>
          {/* After what is pressed, which its length would move. */}
          <ShownFact id={id} condition={condition} />
        </>
      )}
    </>
  );
}

function Otherwise({
  id,
  component,
  condition,
}: ConditionRulesProps & { condition: Condition }) {
  const editor = useEditor();
  const toggle = (isThere: boolean) => {
    const { else: _old, ...logic } = condition;
    const other = createAlternative(
      editor,
      component,
      t("rules.alternativeText"),
    );
    const next = isThere ? { ...logic, else: [other] } : logic;
    const name = isThere
      ? t("rules.addAlternative")
      : t("rules.removeAlternative");
    setCondition(editor, id, next, name, null);
  };
  return (
    <SwitchField
      label={t("canvas.otherwise")}
      value={condition.else !== undefined}
      hint={
        condition.else
          ? t("rules.editAlternativeHelp")
          : t("rules.otherwiseHelp")
      }
      onChange={toggle}
    />
  );
}

function setCondition(
  editor: Editor,
  id: string,
  next: Condition | undefined,
  name: string,
  thread: string | null,
): void {
  updateComponent(
    editor,
    id,
    name,
    (draft) => {
      if (next) draft.condition = next;
      else delete draft.condition;
    },
    thread,
  );
}

/** Empty, in its place, until the sample is checked. */
function ShownFact({ id, condition }: { id: string; condition: Condition }) {
  const { facts } = useEditor();
  const holds = facts.value?.conditions[id];
  const hidden = condition.else
    ? t("rules.alternativeForSample")
    : t("rules.hiddenForSample");
  return (
    <p class="rule-fact" role="status">
      {holds ? t("rules.shownForSample") : holds === false && hidden}
    </p>
  );
}
