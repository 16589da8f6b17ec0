import type { ComponentOf } from "../../../../../../../core/plugin-api/definition.js";

type Cell = ComponentOf<"table-cell">;

/** A cell without words that looks like its neighbour. */
export function emptyCell(like: Cell | undefined): Cell {
  return {
    type: "table-cell",
    id: crypto.randomUUID(),
    text: "",
    ...(like?.class !== undefined && { class: like.class }),
    ...(like?.style && { style: { ...like.style } }),
    ...(like?.align && { align: like.align }),
  };
}
