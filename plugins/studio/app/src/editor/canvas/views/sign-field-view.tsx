import type { ComponentOf } from "../../../../../../../core/contract/definition.js";
import { useLook } from "../look.js";
import type { ViewProps } from "./view-props.js";

type SignField = ComponentOf<"sign-field">;

/** Width and height where the definition names none, as in print. */
const sizes: Record<SignField["field"], readonly [string, string]> = {
  signature: ["64mm", "18mm"],
  initials: ["24mm", "14mm"],
  date: ["36mm", "9mm"],
  text: ["64mm", "9mm"],
  checkbox: ["5mm", "5mm"],
  select: ["48mm", "9mm"],
  number: ["36mm", "9mm"],
  image: ["40mm", "30mm"],
  stamp: ["40mm", "25mm"],
};

const captions: Partial<Record<SignField["field"], string>> = {
  signature: "Signature",
  initials: "Initials",
  date: "Date",
  checkbox: "",
};

/** Where somebody signs or fills in, as it is printed. */
export function SignFieldView({ component, place }: ViewProps<"sign-field">) {
  const { field, name } = component;
  const [width, height] = sizes[field];
  const look = useLook(component, place, {
    classes: ["sign-field", `sign-${field}`],
    style: {
      width: component.width ?? width,
      height: component.height ?? height,
    },
  });
  return (
    <span {...look}>
      <span>{captions[field] ?? name}</span>
    </span>
  );
}
