import type { Logic } from "../../../../../../core/plugin-api/definition.js";
import { useEditor } from "../model/editor-context.js";
import { LogicGroup } from "./logic-group.js";
import { type LogicUse, ruleOptions } from "./rule-options.js";

interface LogicEditorProps {
  logic: Logic;
  /** The component whose fields are asked about. */
  owner: string;
  where: LogicUse;
  /** @param thread as in `Editor.change`, while something is typed */
  onChange: (logic: Logic, thread: string | null) => void;
}

/** Rules, in groups, by fields, comparisons and values that are chosen. */
export function LogicEditor({
  logic,
  owner,
  where,
  onChange,
}: LogicEditorProps) {
  const options = ruleOptions(useEditor(), owner, where);
  const desk = { logic, owner, where, options, onChange };
  return <LogicGroup desk={desk} group={logic} path={[]} />;
}
