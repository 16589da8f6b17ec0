import { escapeHtml } from "../binding/index.js";
import { literal } from "../compile/pen.js";
import type { ComponentOf } from "../definition/component-schema.js";
import { attributes } from "./attributes.js";
import type { Site } from "./site.js";

type SignField = ComponentOf<"sign-field">;

/** Width and height of each kind, when the definition names none. */
const SIZES: Record<SignField["field"], readonly [string, string]> = {
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

const LABELS: Partial<Record<SignField["field"], string>> = {
  signature: "Signature",
  initials: "Initials",
  date: "Date",
};

/**
 * A box of a fixed size that is never split. When the document goes to signing it is a link, whose rectangle the
 * printed page carries along, borders and all: it tells where the signer's field belongs.
 */
export function emitSignField(component: SignField, site: Site): string {
  const { field, name, required = false, options } = component;
  const [width, height] = SIZES[field];
  const role = site.compiled(component.submitter, "plain");
  const probe = site.value((scope, run) =>
    run.signing.add({
      name,
      role: role(scope).trim(),
      type: field,
      required,
      ...(options && { options }),
    }),
  );
  const label = LABELS[field] ?? name;
  const opening = attributes(component, site, {
    classes: ["sign-field", `sign-${field}`],
    style: {
      width: component.width ?? width,
      height: component.height ?? height,
    },
  });
  const caption = field === "checkbox" ? "" : literal(escapeHtml(label));
  return `<a${probe}${opening}><span>${caption}</span></a>`;
}
