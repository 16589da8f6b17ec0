import type { Style } from "../../../../../../../core/plugin-api/definition.js";
import { SIDES, type Sides } from "../controls/sides.js";

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
