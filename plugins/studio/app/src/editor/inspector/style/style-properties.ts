import type { Style } from "../../../../../../../core/plugin-api/definition.js";
import { SIDES, type Side, type Sides } from "../controls/length.js";

/** A border as people see it. */
export interface Border {
  width: string;
  line: string;
  /** Absent: as the text. */
  color?: string | undefined;
}

export type BorderSide = "all" | Side;

const keywords =
  "none|hidden|solid|dashed|dotted|double|groove|ridge|inset|outset";
const lineWord = new RegExp(`(?:^|\\s)(${keywords})(?:\\s|$)`);

/** The border of a side, or the one that all sides share; null where none is drawn. */
export function borderOf(style: Style, side: BorderSide): Border | null {
  const own = side === "all" ? undefined : style[`border-${side}`];
  const short = readShorthand(own ?? style.border);
  if (own !== undefined) return short;
  const width = style["border-width"] ?? short?.width;
  const line = style["border-style"] ?? short?.line;
  const color = style["border-color"] ?? short?.color;
  if (width === undefined && line === undefined) return null;
  return {
    width: width ?? "1px",
    line: line ?? "none",
    ...(color !== undefined && { color }),
  };
}

/**
 * The style with this border; null takes it away. Of all sides it replaces what single sides have; what else is
 * written, such as a radius, stays.
 */
export function withBorder(
  style: Style,
  side: BorderSide,
  border: Border | null,
): Style {
  const rest = Object.fromEntries(
    Object.entries(style).filter(([name]) => !isReplaced(name, side)),
  );
  const name = side === "all" ? "border" : `border-${side}`;
  if (border === null) return rest;
  const { width, line, color } = border;
  const text = [width, line, color].filter((part) => part !== undefined);
  return { ...rest, [name]: text.join(" ") };
}

function isReplaced(name: string, side: BorderSide): boolean {
  if (side !== "all") return name === `border-${side}`;
  const parts = ["width", "style", "color"];
  return (
    name === "border" ||
    [...SIDES, ...parts].some((part) => name === `border-${part}`) ||
    SIDES.some((one) => parts.some((part) => name === `border-${one}-${part}`))
  );
}

function readShorthand(text: string | undefined): Border | null {
  if (text === undefined) return null;
  const line = lineWord.exec(text)?.[1];
  if (line === undefined || line === "none" || line === "hidden") return null;
  const rest = text.replace(lineWord, " ").trim();
  const width = /^(?:\d*\.?\d+[a-z]*|thin|medium|thick)(?=\s|$)/.exec(
    rest,
  )?.[0];
  const color = rest.slice(width?.length ?? 0).trim();
  return {
    width: width ?? "medium",
    line,
    ...(color !== "" && { color }),
  };
}

type Kind = "margin" | "padding";

/** What a style says of a box's sides, by the shorthand (of one to four lengths) and the sides by themselves. */
export function sidesOf(style: Style, kind: Kind): string | Sides | undefined {
  const short = style[kind]?.trim().split(/\s+/) ?? [];
  const [top, right = top, bottom = top, left = right] = short;
  const byShorthand: Sides = {
    ...(top && { top }),
    ...(right && { right }),
    ...(bottom && { bottom }),
    ...(left && { left }),
  };
  const own = Object.fromEntries(
    SIDES.flatMap((side) => {
      const value = style[`${kind}-${side}`];
      return value === undefined ? [] : [[side, value]];
    }),
  );
  if (short.length === 1 && Object.keys(own).length === 0) return top;
  const all: Sides = { ...byShorthand, ...own };
  return Object.keys(all).length === 0 ? undefined : all;
}

/** The style with these sides: one length by the shorthand, several each by itself. */
export function withSides(
  style: Style,
  kind: Kind,
  value: string | Sides | undefined,
): Style {
  const rest = Object.fromEntries(
    Object.entries(style).filter(
      ([name]) => name !== kind && !name.startsWith(`${kind}-`),
    ),
  );
  if (typeof value === "string") return { ...rest, [kind]: value };
  const sides = Object.entries(value ?? {}).map(([side, length]) => [
    `${kind}-${side}`,
    length,
  ]);
  return { ...rest, ...Object.fromEntries(sides) };
}
