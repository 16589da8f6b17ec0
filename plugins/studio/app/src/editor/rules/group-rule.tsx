import type { GroupBy } from "../../../../../../core/plugin-api/definition.js";
import { useEditor } from "../model/editor-context.js";
import { PathChoice } from "../text/path-choice.js";
import { DirectionSelect } from "./direction-select.js";
import type { RepeatPartProps } from "./filter-rules.js";
import { typeOf } from "./order-rules.js";
import { changeRepeat } from "./repeat-steps.js";
import { elementFields } from "./rule-options.js";
import { RulePart } from "./rule-part.js";

/** By which field the elements are put together; then it repeats for each group. */
export function GroupRule({ id, collection, facts }: RepeatPartProps) {
  const editor = useEditor();
  const fields = elementFields(editor, id);
  const { groupBy } = collection;
  const set = (next: GroupBy | undefined) =>
    changeRepeat(editor, id, "Change the groups", { groupBy: next });
  const choose = (field: string) => {
    const { direction } = groupBy ?? {};
    const type = typeOf(fields, field);
    if (field === "") set(undefined);
    else set({ field, type, ...(direction && { direction }) });
  };
  return (
    <RulePart title="Group by" fact={groupBy && groupWords(facts?.groups)}>
      <PathChoice
        label="Group by"
        value={groupBy?.field ?? ""}
        options={fields}
        none="No groups"
        onChange={choose}
      />
      {groupBy && (
        <DirectionSelect
          label="Order of the groups"
          type={groupBy.type ?? typeOf(fields, groupBy.field)}
          direction={groupBy.direction}
          none="As they come"
          onChange={(direction) => set({ ...groupBy, direction })}
          onNone={() => {
            const { direction: _old, ...rest } = groupBy;
            set(rest);
          }}
        />
      )}
    </RulePart>
  );
}

function groupWords(groups: number | null | undefined): string | undefined {
  if (groups === null || groups === undefined) return undefined;
  const made = groups === 1 ? "Makes 1 group" : `Makes ${groups} groups`;
  return `${made}. For what is in each, repeat something inside for its items.`;
}
