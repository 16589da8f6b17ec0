import { toggleMark } from "prosemirror-commands";
import type { Mark, MarkType } from "prosemirror-model";
import type { Transaction } from "prosemirror-state";
import type { SimpleMark } from "../../../../../../../core/plugin-api/definition.js";
import { styleOf, textSchema } from "../model/text-schema.js";
import type { TextSurface } from "../surface/text-surface.js";

/** The style properties that are set here. */
export type StyleName = "color" | "font-size";

function typeOf(name: SimpleMark | "link" | "style"): MarkType {
  const type = textSchema.marks[name];
  if (!type) throw new Error(`no mark is called ${name}`);
  return type;
}

/** Whether all that is selected has a mark. */
export function isMarked({ view }: TextSurface, name: SimpleMark): boolean {
  const { doc, selection } = view.state;
  const { from, to } = selection;
  let isAll = to > from;
  doc.nodesBetween(from, to, (node) => {
    if (node.isInline && !typeOf(name).isInSet(node.marks)) isAll = false;
  });
  return isAll;
}

/** Sets a mark in all that is selected, or takes it away where all has it. */
export function toggle({ view }: TextSurface, name: SimpleMark): void {
  const command = toggleMark(typeOf(name), null, { removeWhenPresent: false });
  command(view.state, view.dispatch);
}

/** Where the link leads that what is selected has; null for none. */
export function linkOf(surface: TextSurface): string | null {
  const mark = firstMark(surface, "link");
  return mark ? String(mark.attrs["href"]) : null;
}

export function setLink(surface: TextSurface, href: string | null): void {
  change(surface, (tr) => {
    const { from, to } = tr.selection;
    tr.removeMark(from, to, typeOf("link"));
    if (href) tr.addMark(from, to, typeOf("link").create({ href }));
  });
}

export function styleHere(
  surface: TextSurface,
  name: StyleName,
): string | undefined {
  const mark = firstMark(surface, "style");
  return mark ? styleOf(mark)[name] : undefined;
}

/** Sets one property in what is selected, and leaves the others; undefined takes it away. */
export function setStyle(
  surface: TextSurface,
  name: StyleName,
  value: string | undefined,
): void {
  change(surface, (tr) => {
    const { from, to } = tr.selection;
    tr.doc.nodesBetween(from, to, (node, place) => {
      if (!node.isInline) return;
      const start = Math.max(from, place);
      const end = Math.min(to, place + node.nodeSize);
      restyle(tr, start, end, node.marks, name, value);
    });
  });
}

function restyle(
  tr: Transaction,
  from: number,
  to: number,
  marks: readonly Mark[],
  name: StyleName,
  value: string | undefined,
): void {
  const type = typeOf("style");
  const own = marks.filter((mark) => mark.type === type);
  // The innermost that has the property, or else the innermost of all.
  const holder = own.findLast((mark) => name in styleOf(mark)) ?? own.at(-1);
  const { [name]: _before, ...rest } = holder ? styleOf(holder) : {};
  const style = value === undefined ? rest : { ...rest, [name]: value };
  if (holder) tr.removeMark(from, to, holder);
  if (Object.keys(style).length > 0)
    tr.addMark(from, to, type.create({ style }));
}

/** Takes all marks away. */
export function clearMarks(surface: TextSurface): void {
  change(surface, (tr) => {
    const { from, to } = tr.selection;
    tr.removeMark(from, to);
  });
}

function firstMark({ view }: TextSurface, name: "link" | "style"): Mark | null {
  const { doc, selection } = view.state;
  let found: Mark | null = null;
  doc.nodesBetween(selection.from, selection.to, (node) => {
    found ??= typeOf(name).isInSet(node.marks) ?? null;
  });
  return found;
}

function change(surface: TextSurface, recipe: (tr: Transaction) => void): void {
  const { tr } = surface.view.state;
  recipe(tr);
  if (tr.docChanged) surface.view.dispatch(tr.setMeta("isStep", true));
}
