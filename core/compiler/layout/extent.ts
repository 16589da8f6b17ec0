/** A place on a line whose length is known only when the paper is: a share of the line, and px on top. */
export interface Position {
  share: number;
  px: number;
}

/** From where to where something reaches across a header or footer. */
export interface Extent {
  left: Position;
  right: Position;
}

export const WHOLE: Extent = {
  left: { share: 0, px: 0 },
  right: { share: 1, px: 0 },
};

export function inset(extent: Extent, left: number, right: number): Extent {
  return {
    left: { ...extent.left, px: extent.left.px + left },
    right: { ...extent.right, px: extent.right.px - right },
  };
}

/** Px from the left end of a line of that length. */
export function resolve({ share, px }: Position, length: number): number {
  return share * length + px;
}

/** The part of an extent between two positions inside it. */
export function part(extent: Extent, from: Position, to: Position): Extent {
  const width = minus(extent.right, extent.left);
  const at = (position: Position) => ({
    share: extent.left.share + position.share * width.share,
    px: extent.left.px + position.share * width.px + position.px,
  });
  return { left: at(from), right: at(to) };
}

export function plus(a: Position, b: Position): Position {
  return { share: a.share + b.share, px: a.px + b.px };
}

export function minus(a: Position, b: Position): Position {
  return { share: a.share - b.share, px: a.px - b.px };
}

export function times(a: Position, factor: number): Position {
  return { share: a.share * factor, px: a.px * factor };
}
