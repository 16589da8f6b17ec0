import type {
  SortRule,
  ValueType,
} from "../../../../../../core/plugin-api/definition.js";
import { useEditor } from "../model/editor-context.js";
import type { PathOption } from "../scope/field-options.js";
import { PathChoice } from "../text/path-choice.js";
import { DirectionSelect } from "./direction-select.js";
import type { RepeatPartProps } from "./filter-rules.js";
import { changeRepeat } from "./repeat-steps.js";
import { elementFields } from "./rule-options.js";
import { RulePart } from "./rule-part.js";
import { SortLines } from "./sort-lines.js";
import { kindOfOption, orderedAs } from "./value-kind.js";

/** In which order the elements come; earlier rules win. */
export function OrderRules({ id, collection }: RepeatPartProps) {
  const editor = useEditor();
  const fields = elementFields(editor, id);
  const { sort = [] } = collection;
  const set = (next: SortRule[]) =>
    changeRepeat(editor, id, "Change the order", {
      sort: next.length > 0 ? next : undefined,
    });
  const free = fields.find(({ path }) =>
    sort.every((one) => one.field !== path),
  );
  const first = free ?? fields[0];
  return (
    <RulePart title="Order">
      <SortLines
        rules={sort}
        make={first && (() => sortBy(fields, first.path, "ASC"))}
        onChange={set}
        draw={(rule, index, change) => (
          <>
            <PathChoice
              label={index === 0 ? "Order by" : "Then by"}
              value={rule.field}
              options={fields}
              onChange={(field) =>
                change(sortBy(fields, field, rule.direction))
              }
            />
            <DirectionSelect
              label={index === 0 ? "Direction" : `Direction ${index + 1}`}
              type={rule.type}
              direction={rule.direction}
              onChange={(direction) => change({ ...rule, direction })}
            />
          </>
        )}
      />
    </RulePart>
  );
}

function sortBy(
  fields: readonly PathOption[],
  field: string,
  direction: SortRule["direction"],
): SortRule {
  return { field, direction, type: typeOf(fields, field) };
}

/** As what a field is put in order. */
export function typeOf(
  fields: readonly PathOption[],
  field: string,
): ValueType {
  return orderedAs(kindOfOption(fields.find(({ path }) => path === field)));
}
