import { useCanvas } from "../canvas-state.js";
import { useLook } from "../look.js";
import type { ViewProps } from "./view-props.js";

/** Where somebody signs or fills in, as it is printed. */
export function SignFieldView({ component, place }: ViewProps<"sign-field">) {
  const { field, name } = component;
  const usual = useCanvas().editor.design.defaults.signFields[field];
  const { width = usual.width, height = usual.height } = component;
  const look = useLook(component, place, {
    classes: ["sign-field", `sign-${field}`],
    style: { width, height },
  });
  return (
    <span {...look}>
      <span>{usual.caption ?? name}</span>
    </span>
  );
}
