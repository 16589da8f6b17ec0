import { useCanvas } from "../canvas-state.js";
import { useLook } from "../look.js";
import type { ViewProps } from "./view-props.js";

/** With the numbers of the page that is shown. */
export function PageNumberView({ component, place }: ViewProps<"page-number">) {
  const { page, pageCount, editor } = useCanvas();
  const { format = editor.design.defaults.pageNumber } = component;
  const { value: pages } = pageCount;
  const number = page.value === "first" ? 1 : Math.min(2, pages);
  const text = format
    .replaceAll("{page}", String(number))
    .replaceAll("{pages}", String(pages));
  return <p {...useLook(component, place)}>{text}</p>;
}
