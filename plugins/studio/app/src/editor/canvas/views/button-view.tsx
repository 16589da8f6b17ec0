import { useLook } from "../look.js";
import { TextContent } from "../text-content.js";
import type { ViewProps } from "./view-props.js";

/** Looks like a link and is none: a press is for the editor. */
export function ButtonView({ component, place }: ViewProps<"button">) {
  const look = useLook(component, place, { classes: ["button"] });
  return (
    <span {...look}>
      <TextContent
        id={component.id ?? ""}
        text={component.text}
        placeholder="Button"
      />
    </span>
  );
}
