import { type Look, useLook } from "../look.js";
import { Picture } from "../picture.js";
import type { ViewProps } from "./view-props.js";

export function ImageView({ component, place }: ViewProps<"image">) {
  const { src, alt = "", width, height, fit } = component;
  const {
    class: names,
    style,
    ...outer
  } = useLook(component, place, {
    style: {
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
      ...(fit !== undefined && { "object-fit": fit }),
    },
  });
  const look: Pick<Look, "class" | "style"> = {
    ...(names !== undefined && { class: names }),
    ...(style && { style }),
  };
  return (
    <div {...outer} class="d-image">
      <Picture id={component.id} src={src} alt={alt} look={look} />
    </div>
  );
}
