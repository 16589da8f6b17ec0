import type { Component } from "../../../../../../core/plugin-api/definition.js";
import { SwitchField } from "../inspector/controls/fields.js";
import { useEditor } from "../model/editor-context.js";
import type { RepeatPartProps } from "./filter-rules.js";
import { changeRepeat, standIn } from "./repeat-steps.js";
import { RulePart } from "./rule-part.js";

/** What is shown where the list has nothing to show. */
export function EmptyRule({
  id,
  collection,
  component,
}: RepeatPartProps & { component: Component }) {
  const editor = useEditor();
  const toggle = (isThere: boolean) => {
    const name = isThere ? "Show something for none" : "Show nothing for none";
    const first = standIn(editor, component, "There are none.");
    changeRepeat(editor, id, name, { empty: isThere ? [first] : undefined });
  };
  return (
    <RulePart title="When there are none">
      <SwitchField
        label="Show a text"
        value={collection.empty !== undefined}
        {...(collection.empty && { hint: "It stands below on the page." })}
        onChange={toggle}
      />
    </RulePart>
  );
}
