import { NumberField } from "../inspector/controls/fields.js";
import { useEditor } from "../model/editor-context.js";
import type { RepeatPartProps } from "./filter-rules.js";
import { changeRepeat } from "./repeat-steps.js";
import { RulePart } from "./rule-part.js";

/** How many are left out at the start, and how many are shown at most. */
export function SliceRule({ id, collection }: RepeatPartProps) {
  const editor = useEditor();
  const set = (property: "offset" | "limit") => (value: number | undefined) =>
    changeRepeat(
      editor,
      id,
      "Change how many are shown",
      { [property]: value },
      `${property}:${id}`,
    );
  return (
    <RulePart title="How many">
      <NumberField
        label="Skip first"
        value={collection.offset}
        min={0}
        placeholder="None"
        onChange={set("offset")}
      />
      <NumberField
        label="At most"
        value={collection.limit}
        min={0}
        placeholder="All"
        onChange={set("limit")}
      />
    </RulePart>
  );
}
