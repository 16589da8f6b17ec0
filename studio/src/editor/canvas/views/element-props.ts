import type { SampleRow } from "../../../../../core/compiler/views.js";
import type {
  Component,
  ComponentType,
  Align,
  ComponentOf,
} from "../../../../../core/plugin-api/definition.js";
import { type ListKey, listKey } from "../../model/tree.js";
import {
  getPrinted,
  type SampleScope,
  useSampleScope,
} from "../../scope/sample-scope.js";
import { getExpression, parseTemplate } from "../../text/template.js";
import { type CanvasState, useCanvas } from "../canvas-state.js";
import { loadsResource, toPageStyle } from "../print-styles.js";
import { getAccessibleName, getNotes } from "./component-text.js";

/** CSS by property. */
export type Declarations = Readonly<Record<string, string>>;

/** The props of a component's outermost element. */
export interface ElementProps {
  "data-id"?: string;
  /** Instead of `data-id`: a copy of the component with this id. */
  "data-copy"?: string;
  "data-type"?: string;
  /** The tab that shows its collection and condition. */
  "data-note"?: string;
  "data-note-kind"?: "repeat" | "condition";
  /** It shows both. */
  "data-note-both"?: true;
  "data-unshown"?: true;
  role?: "group";
  "aria-label"?: string;
  "aria-description"?: string;
  tabIndex?: -1;
  class?: string;
  style?: Record<string, string>;
}

interface Extra {
  /** Classes of the print style sheet, without the prefix. */
  classes?: readonly (string | false | undefined)[];
  /** CSS from the component's properties, such as a column's width. Its `style` takes precedence. */
  style?: Declarations;
}

/** The style is the same as in print. */
export function useElementProps(
  component: Component,
  place: Place,
  { classes = [], style = {} }: Extra = {},
): ElementProps {
  const canvas = useCanvas();
  const scope = useSampleScope();
  const classNames = [...classes, component.keepTogether && "keep"]
    .filter(Boolean)
    .map((name) => `d-${name}`);
  const dress = place.email
    ? getEmailStyle(component, place, canvas)
    : getDocumentStyle(component, canvas);
  const declared = { ...style, ...dress.declared };
  return {
    ...(scope.isCopy
      ? getCopyProps(component, canvas)
      : getBaseProps(component, place, canvas)),
    ...withClasses([...classNames, ...dress.classes]),
    ...withStyle(declared, component, canvas, scope),
  };
}

/** The props that identify a copy; in a block, its frame has them. */
export function getCopyProps(
  { id = "" }: Component,
  { isInBlock }: CanvasState,
): ElementProps {
  return isInBlock ? innerMarks : { "data-copy": id };
}

/** The props of the element around a component's children. Nothing can be dropped into a copy. */
export function useListProps({ id = "" }: Component): {
  "data-list"?: ListKey;
} {
  const { isCopy } = useSampleScope();
  return isCopy ? {} : { "data-list": listKey(id, "components") };
}

interface StyleSource {
  classes: readonly string[];
  declared: Declarations;
}

/** Named styles are classes, except those that contain expressions. */
function getDocumentStyle(
  component: Component,
  canvas: CanvasState,
): StyleSource {
  const names = splitClassNames(component.class);
  if (names.length === 0)
    return { classes: [], declared: component.style ?? {} };
  const { value: variable } = canvas.variableStyles;
  const constant = names.filter((name) => !(name in variable));
  return {
    classes: constant.map((name) => `c-${name}`),
    declared: Object.assign(
      {},
      ...names.map((name) => variable[name]),
      component.style,
    ),
  };
}

function getEmailStyle(
  component: Component,
  { email }: Place,
  canvas: CanvasState,
): StyleSource {
  const declared = getDeclarations(component, canvas);
  if (email !== "inner") return { classes: [], declared };
  const { type } = component;
  const rest = Object.entries(declared).filter(
    ([name]) => !isRowProperty(type, name),
  );
  return { classes: [], declared: Object.fromEntries(rest) };
}

/** Whether a CSS property of a component in an email belongs to its row. */
function isRowProperty(type: ComponentType, property: string): boolean {
  const isMargin = property.startsWith("margin") || property === "text-align";
  if (type === "button") return isMargin;
  if (type === "image" || type === "divider")
    return isMargin || property.startsWith("padding");
  return property === "background-color" || property.startsWith("padding");
}

/** The CSS of a component's named styles and `style`, with the later one taking precedence. */
export function getDeclarations(
  component: Component,
  canvas: CanvasState,
): Declarations {
  if (!component.class) return component.style ?? {};
  const names = splitClassNames(component.class);
  const used = Object.entries(canvas.styles.value).filter(([name]) =>
    names.includes(name),
  );
  return Object.assign(
    {},
    ...used.map(([, namedStyle]) => namedStyle),
    component.style,
  );
}

/** Resolves CSS with the values of the sample; properties with unknown values are left out. */
export function resolveStyle(
  declared: Declarations,
  { id }: Component,
  { editor }: CanvasState,
  scope: SampleScope,
): Record<string, string> {
  const resolved: Record<string, string> = {};
  for (const [property, value] of Object.entries(declared)) {
    // Reads the facts only for expressions, so that constant styles do not render again when the facts change.
    const css = value.includes("{{")
      ? resolveTemplate(value, id, getPrinted(scope, editor))
      : value;
    if (css && !loadsResource(css))
      resolved[property] = toPageStyle(
        property,
        css,
        editor.design.fontAliases,
      );
  }
  return resolved;
}

function splitClassNames(list: string | undefined): string[] {
  return (list ?? "").split(/\s+/).filter((name) => name !== "");
}

/** The props that identify and describe a component, without its style. */
export function getBaseProps(
  component: Component,
  place: Place,
  canvas: CanvasState,
): ElementProps {
  if (place.email === "inner" || canvas.isInBlock) return innerMarks;
  const notes = getNotes(component, canvas.editor);
  const about = notes.phrases.join(". ");
  return {
    "data-id": component.id ?? "",
    "data-type": component.type,
    ...getAccessibleName(component),
    tabIndex: -1,
    ...(notes.tab !== "" && {
      "data-note": notes.tab,
      "data-note-kind": notes.kind,
    }),
    ...(notes.isBoth && { "data-note-both": true }),
    ...(about !== "" && { "aria-description": about }),
    ...(notes.isHidden && { "data-unshown": true }),
  };
}

/** In an email, the row around the component has them; in a block, its frame. */
const innerMarks = {};

function withClasses(names: readonly string[]) {
  return names.length === 0 ? {} : { class: names.join(" ") };
}

function withStyle(
  declared: Declarations,
  component: Component,
  canvas: CanvasState,
  scope: SampleScope,
) {
  const style = resolveStyle(declared, component, canvas, scope);
  return Object.keys(style).length === 0 ? {} : { style };
}

/**
 * A Template of a component with the values of the sample; null if a value is unknown, such as before the first
 * response of the service.
 */
export function resolveTemplate(
  template: string,
  id: string | undefined,
  facts: Pick<SampleRow, "values"> | null,
): string | null {
  if (!template.includes("{{")) return template;
  const values = facts?.values[id ?? ""] ?? {};
  const parts = parseTemplate(template).map((part) => {
    if (part.kind === "text") return part.text;
    if (part.kind === "break") return "\n";
    if (part.kind === "braces") return "{{";
    return values[getExpression(part.source)] ?? null;
  });
  return parts.includes(null) ? null : parts.join("");
}

/** What the rendering of a component depends on besides the component. Compared by value or identity of each property. */
export interface Place {
  /** The parent's kind of element. */
  around: "block" | "table" | "row" | "list" | "columns";
  columns?: ComponentOf<"table">["columns"];
  /** The index of a cell's first column. */
  column?: number;
  isHeader?: boolean;
  /** The gap between columns. */
  gap?: string | undefined;
  /** In an email: in the body, a row of columns, a column, HTML as in documents, or the row of the component itself. */
  email?: "body" | "row" | "column" | "html" | "inner";
  /** In an email: the padding of content in the column. */
  inset?: string;
  /** In an email: the column's share of its row, in percent. */
  share?: number;
}

export const blockPlace: Place = { around: "block" };

export function isSamePlace(place: Place, other: Place): boolean {
  return (
    place === other ||
    (place.around === other.around &&
      place.columns === other.columns &&
      place.column === other.column &&
      place.isHeader === other.isHeader &&
      place.gap === other.gap &&
      place.email === other.email &&
      place.inset === other.inset &&
      place.share === other.share)
  );
}

export function alignAt({ columns, column = 0 }: Place): Align | undefined {
  return columns?.[column]?.align;
}

/** The place of the children of a box. */
export function innerPlace({ email }: Place): Place {
  return email ? htmlPlace : blockPlace;
}

const htmlPlace: Place = { around: "block", email: "html" };

export interface ViewProps<T extends ComponentType = ComponentType> {
  component: ComponentOf<T>;
  place: Place;
}
