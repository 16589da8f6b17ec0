import { useCanvas } from "../canvas-state.js";
import { useLook } from "../look.js";
import { printed } from "../printed.js";
import type { ViewProps } from "./view-props.js";

/** Markdown or HTML as it was written: what it becomes, the print shows. */
export function MarkupView({
  component,
  place,
}: ViewProps<"markdown"> | ViewProps<"html">) {
  const { editor } = useCanvas();
  const { id, type, value } = component;
  const source =
    editor.showsValues.value && value.includes("{{")
      ? (printed(value, id, editor.facts.value) ?? value)
      : value;
  return (
    <div {...useLook(component, place, { classes: ["markdown"] })}>
      <div class="markup">
        <span class="markup-kind">{type === "html" ? "HTML" : "Markdown"}</span>
        {source}
      </div>
    </div>
  );
}
