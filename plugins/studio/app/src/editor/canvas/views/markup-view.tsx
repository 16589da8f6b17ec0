import { useCanvas } from "../canvas-state.js";
import { useLook } from "../look.js";
import { filled } from "../sample.js";
import { useScope } from "../scope-context.js";
import type { ViewProps } from "./view-props.js";

/** Markdown or HTML as it was written: what it becomes, the print shows. */
export function MarkupView({
  component,
  place,
}: ViewProps<"markdown"> | ViewProps<"html">) {
  const { data } = useCanvas();
  const scope = useScope();
  const { type, value } = component;
  const source = value.includes("{{")
    ? (filled(value, scope, data.value) ?? value)
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
