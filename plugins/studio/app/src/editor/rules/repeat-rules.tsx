import { useId, useState } from "preact/hooks";
import type {
  Collection,
  Component,
} from "../../../../../../core/contract/definition.js";
import { AskFirst } from "../../ui/ask-first.js";
import { Row } from "../inspector/controls/row.js";
import { useEditor } from "../model/editor-context.js";
import { pathOptions } from "../scope/scopes.js";
import { PathChoice } from "../text/path-choice.js";
import { EmptyRule } from "./empty-rule.js";
import { countWords } from "./fact-words.js";
import { FilterRules } from "./filter-rules.js";
import { GroupRule } from "./group-rule.js";
import { nameUses } from "./name-uses.js";
import { OrderRules } from "./order-rules.js";
import { repeatNoMore, repeatOver } from "./repeat-steps.js";
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

/** The list; taking it away asks first where something inside reads it. */
function ListChoice({ id, component }: RepeatRulesProps) {
  const editor = useEditor();
  const field = useId();
  const [uses, setUses] = useState(0);
  const { collection } = component;
  const lists = pathOptions(editor, id, "collection").filter(
    ({ kind }) => kind === "list",
  );
  const choose = (path: string) => {
    const { schema } = editor.definition.peek();
    const found = path === "" ? nameUses(component, schema) : 0;
    if (path !== "") repeatOver(editor, id, path);
    else if (found > 0) setUses(found);
    else repeatNoMore(editor, id);
  };
  if (lists.length === 0 && !collection)
    return (
      <p class="prop-hint">
        There is no list to repeat for. Add one in the Data tab.
      </p>
    );
  return (
    <>
      <Row id={field} label="For each">
        <PathChoice
          id={field}
          value={collection?.path ?? ""}
          options={lists}
          none="Does not repeat"
          onChange={choose}
        />
      </Row>
      {collection && (
        <div class="prop-row">
          <span class="prop-label">Called</span>
          <span class="rule-name" title="Its name stays, as long as it repeats">
            {collection.collectionId}
          </span>
        </div>
      )}
      {uses > 0 && collection && (
        <AskFirst
          title="Stop repeating?"
          act="Stop repeating"
          keep="Keep repeating"
          onAct={async () => {
            repeatNoMore(editor, id);
            await Promise.resolve();
          }}
          onClose={() => setUses(0)}
        >
          <p>
            {placesWords(uses)} the fields of “{collection.collectionId}”. They
            will have nothing to show then, until you change them.
          </p>
        </AskFirst>
      )}
    </>
  );
}

function placesWords(uses: number): string {
  return uses === 1 ? "One place inside shows" : `${uses} places inside show`;
}
