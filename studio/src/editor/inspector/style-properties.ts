import type { Style } from "../../../../core/plugin-api/definition.js";

/** In the order of CSS shorthands. */
export const SIDES = ["top", "right", "bottom", "left"] as const;
export type Side = (typeof SIDES)[number];
export type Sides = Partial<Record<Side, string | undefined>>;

export interface Border {
  width: string;
  line: string;
  /** Absent if it is the color of the text. */
  color?: string | undefined;
}

export type BorderSide = "all" | Side;

const keywords =
  "none|hidden|solid|dashed|dotted|double|groove|ridge|inset|outset";
const lineWord = new RegExp(`(?:^|\\s)(${keywords})(?:\\s|$)`);

/** The border of one side or of all sides; null if there is none. */
export function getBorder(style: Style, side: BorderSide): Border | null {
  const sideBorder = side === "all" ? undefined : style[`border-${side}`];
  const short = readShorthand(sideBorder ?? style.border);
  if (sideBorder !== undefined) return short;
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
 * The style with this border; null removes it. For "all" it also replaces borders of single sides; other properties
 * such as the radius stay.
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
    SIDES.some((borderSide) =>
      parts.some((part) => name === `border-${borderSide}-${part}`),
    )
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

/** The margin or padding from the shorthand (one to four lengths) and the properties of single sides. */
export function getSides(style: Style, kind: Kind): string | Sides | undefined {
  const short = style[kind]?.trim().split(/\s+/) ?? [];
  const [top, right = top, bottom = top, left = right] = short;
  const byShorthand: Sides = {
    ...(top && { top }),
    ...(right && { right }),
    ...(bottom && { bottom }),
    ...(left && { left }),
  };
  const byLonghand = Object.fromEntries(
    SIDES.flatMap((side) => {
      const value = style[`${kind}-${side}`];
      return value === undefined ? [] : [[side, value]];
    }),
  );
  if (short.length === 1 && Object.keys(byLonghand).length === 0) return top;
  const all: Sides = { ...byShorthand, ...byLonghand };
  return Object.keys(all).length === 0 ? undefined : all;
}

/** The style with this margin or padding: one length as shorthand, several as one property per side. */
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
