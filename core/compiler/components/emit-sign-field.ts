import type { DesignSignField } from "../../plugin-api/index.js";
import { escapeHtml } from "../../definition/expressions/index.js";
import { literal } from "../compile/pen.js";
import type { ComponentOf } from "../../definition/schema/component-schema.js";
import { attributes } from "./attributes.js";
import type { Site } from "./site.js";

type SignField = ComponentOf<"sign-field">;

/** What is drawn where the definition names no size; the caption is null where the field's own name is it. */
export const SIGN_FIELD_BOXES: Readonly<
  Record<SignField["field"], DesignSignField>
> = {
  signature: { width: "64mm", height: "18mm", caption: "Signature" },
  initials: { width: "24mm", height: "14mm", caption: "Initials" },
  date: { width: "36mm", height: "9mm", caption: "Date" },
  text: { width: "64mm", height: "9mm", caption: null },
  checkbox: { width: "5mm", height: "5mm", caption: "" },
  select: { width: "48mm", height: "9mm", caption: null },
  number: { width: "36mm", height: "9mm", caption: null },
  image: { width: "40mm", height: "30mm", caption: null },
  stamp: { width: "40mm", height: "25mm", caption: null },
};

/**
 * A box of a fixed size that is never split. When the document goes to signing it is a link, whose rectangle the
 * printed page carries along, borders and all: it tells where the signer's field belongs.
 */
export function emitSignField(component: SignField, site: Site): string {
  const { field, name, required = false, options } = component;
  const { width, height, caption } = SIGN_FIELD_BOXES[field];
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
  const opening = attributes(component, site, {
    classes: ["sign-field", `sign-${field}`],
    style: {
      width: component.width ?? width,
      height: component.height ?? height,
    },
  });
  const label = literal(escapeHtml(caption ?? name));
  return `<a${probe}${opening}><span>${label}</span></a>`;
}
