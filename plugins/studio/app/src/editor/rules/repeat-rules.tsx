import type {
  Collection,
  Component,
} from "../../../../../../core/plugin-api/definition.js";
import { useEditor } from "../model/editor-context.js";
import { EmptyRule } from "./empty-rule.js";
import { countWords } from "./fact-words.js";
import { FilterRules } from "./filter-rules.js";
import { GroupRule } from "./group-rule.js";
import { ListChoice } from "./list-choice.js";
import { OrderRules } from "./order-rules.js";
import { SliceRule } from "./slice-rule.js";

interface RepeatRulesProps {
  id: string;
  component: Component;
}

/** For which list a component repeats, and what becomes of the list before. */
export function RepeatRules({ id, component }: RepeatRulesProps) {
  const { facts } = useEditor();
  const { collection } = component;
  const counted = facts.value?.repeats[id];
  const rest = { id, collection, facts: counted };
  return (
    <>
      <ListChoice id={id} component={component} />
      {hasCollection(rest) && (
        <>
          <p class="rule-fact" role="status">
            {counted
              ? countWords(rest.collection, counted)
              : "The sample has no such list to count."}
          </p>
          <FilterRules {...rest} />
          <OrderRules {...rest} />
          <GroupRule {...rest} />
          <SliceRule {...rest} />
          <EmptyRule {...rest} component={component} />
        </>
      )}
    </>
  );
}

function hasCollection<T extends { collection: Collection | undefined }>(
  rest: T,
): rest is T & { collection: Collection } {
  return rest.collection !== undefined;
}
