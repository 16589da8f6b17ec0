import type {
  Component,
  ComponentType,
} from "../../../../../../core/plugin-api/definition.js";
import { type CanvasState, useCanvas } from "./canvas-state.js";
import { nameOf } from "./component-name.js";
import { notesOf } from "./notes.js";
import type { Place } from "./place.js";
import { loads } from "./loads.js";
import { printFonts } from "./print-fonts.js";
import { printed } from "./printed.js";

/** CSS by property. */
export type Declarations = Readonly<Record<string, string>>;

/** What a component's outermost element carries, whatever it is. */
export interface Look {
  "data-id"?: string;
  "data-type"?: string;
  /** What is told beside it: that it repeats, that it is not always shown. */
  "data-note"?: string;
  "data-note-kind"?: "repeat" | "condition";
  "data-unshown"?: true;
  role?: "group";
  "aria-label"?: string;
  "aria-description"?: string;
  tabIndex?: -1;
  class?: string;
  style?: Record<string, string>;
}

interface Extra {
  /** Of production's, without their prefix. */
  classes?: readonly (string | false | undefined)[];
  /** From the component's own properties, such as a column's width; its `style` may say otherwise. */
  style?: Declarations;
}

/** How a component is dressed, as in print; in an email its whole style is on it. */
export function useLook(
  component: Component,
  place: Place,
  { classes = [], style = {} }: Extra = {},
): Look {
  const canvas = useCanvas();
  const own = classes.filter(Boolean).map((name) => `d-${name}`);
  const dress = place.mail
    ? mailDress(component, place, canvas)
    : pageDress(component, canvas);
  const declared = { ...style, ...dress.declared };
  return {
    ...marksOf(component, place, canvas),
    ...withClasses([...own, ...dress.classes]),
    ...withStyle(declared, component, canvas),
  };
}

interface Dress {
  classes: readonly string[];
  declared: Declarations;
}

/** Named styles are classes of a style sheet, unless there is data in them. */
function pageDress(component: Component, canvas: CanvasState): Dress {
  const names = namesIn(component.class);
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

function mailDress(
  component: Component,
  { mail }: Place,
  canvas: CanvasState,
): Dress {
  const declared = declaredBy(component, canvas);
  if (mail !== "inner") return { classes: [], declared };
  const { type } = component;
  const rest = Object.entries(declared).filter(
    ([name]) => !isCarried(type, name),
  );
  return { classes: [], declared: Object.fromEntries(rest) };
}

/** What the row of an email's column takes over from its content. */
export function isCarried(type: ComponentType, property: string): boolean {
  const isMargin = property.startsWith("margin") || property === "text-align";
  if (type === "button") return isMargin;
  if (type === "image" || type === "divider")
    return isMargin || property.startsWith("padding");
  return property === "background-color" || property.startsWith("padding");
}

/** All that a component's class and style declare, in the order in which they win. */
export function declaredBy(
  component: Component,
  canvas: CanvasState,
): Declarations {
  if (!component.class) return component.style ?? {};
  const names = namesIn(component.class);
  const used = Object.entries(canvas.styles.value).filter(([name]) =>
    names.includes(name),
  );
  return Object.assign({}, ...used.map(([, one]) => one), component.style);
}

/** CSS with the sample's values; what cannot be told is left out. */
export function shownStyle(
  declared: Declarations,
  { id }: Component,
  { editor }: CanvasState,
): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [property, value] of Object.entries(declared)) {
    // Without data in it, it does not ask for the facts, and is not drawn anew for them.
    const css = value.includes("{{")
      ? printed(value, id, editor.facts.value)
      : value;
    if (css && !loads(css))
      shown[property] =
        property === "font-family"
          ? printFonts(css, editor.design.fontAliases)
          : css;
  }
  return shown;
}

function namesIn(list: string | undefined): string[] {
  return (list ?? "").split(/\s+/).filter((name) => name !== "");
}

/** What is on the outermost element of a component, whatever it is. */
export function marksOf(
  component: Component,
  place: Place,
  canvas: CanvasState,
): Look {
  if (place.mail === "inner") return innerMarks;
  const notes = notesOf(component, canvas.editor);
  const about = notes.said.join(". ");
  return {
    "data-id": component.id ?? "",
    "data-type": component.type,
    ...nameOf(component),
    tabIndex: -1,
    ...(notes.tab !== "" && {
      "data-note": notes.tab,
      "data-note-kind": notes.kind,
    }),
    ...(about !== "" && { "aria-description": about }),
    ...(notes.isUnshown && { "data-unshown": true }),
  };
}

/** Its row stands for it. */
const innerMarks = {};

function withClasses(names: readonly string[]) {
  return names.length === 0 ? {} : { class: names.join(" ") };
}

function withStyle(
  declared: Declarations,
  component: Component,
  canvas: CanvasState,
) {
  const style = shownStyle(declared, component, canvas);
  return Object.keys(style).length === 0 ? {} : { style };
}
