import { useLook } from "../look.js";
import type { ViewProps } from "./view-props.js";

/** With the numbers of the page that is shown. */
export function PageNumberView({ component, place }: ViewProps<"page-number">) {
  const { format = "{page}" } = component;
  const text = format.replaceAll("{page}", "1").replaceAll("{pages}", "3");
  return <p {...useLook(component, place)}>{text}</p>;
}
