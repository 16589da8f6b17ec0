import type { RepeatFacts } from "../../../../../../core/plugin-api/app-drafts.js";
import type {
  Collection,
  Logic,
} from "../../../../../../core/plugin-api/definition.js";
import { useEditor } from "../model/editor-context.js";
import { passWords } from "./fact-words.js";
import { LogicEditor } from "./logic-editor.js";
import { changeRepeat } from "./repeat-steps.js";
import { RulePart } from "./rule-part.js";

export interface RepeatPartProps {
  id: string;
  collection: Collection;
  facts: RepeatFacts | undefined;
}

const noRules: Logic = { combinator: "and", rules: [] };

/** Which elements of the list count. */
export function FilterRules({ id, collection, facts }: RepeatPartProps) {
  const editor = useEditor();
  const { filter } = collection;
  const set = (logic: Logic, thread: string | null) =>
    changeRepeat(
      editor,
      id,
      "Change which of the list count",
      { filter: logic.rules.length > 0 ? logic : undefined },
      thread,
    );
  const fact = filter && facts && passWords(collection, facts);
  return (
    <RulePart title="Only those which" fact={fact}>
      <LogicEditor
        logic={filter ?? noRules}
        owner={id}
        where="filter"
        onChange={set}
      />
    </RulePart>
  );
}
