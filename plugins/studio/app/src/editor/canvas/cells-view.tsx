import type { Component } from "../../../../../../core/plugin-api/definition.js";
import { AcrossPlace } from "./across-place.js";
import { useDraw } from "./draw-context.js";
import type { Place } from "./place.js";

interface CellsViewProps {
  components: readonly Component[];
  place: Place;
}

/** The cells of a row, each with the column in which it begins; one that spans some moves on those after it. */
export function CellsView({ components, place }: CellsViewProps) {
  const Draw = useDraw();
  if (components.length === 0)
    return (
      <AcrossPlace place={place}>
        <div class="empty-list">Empty: add a cell</div>
      </AcrossPlace>
    );
  let column = place.column ?? 0;
  return (
    <>
      {components.map((cell) => {
        const begins = column;
        column += columnsOf(cell);
        return (
          <Draw
            key={cell.id}
            component={cell}
            place={{ ...place, column: begins }}
          />
        );
      })}
    </>
  );
}

/** How many columns a cell takes; a group takes those of its cells. */
function columnsOf(cell: Component): number {
  if (cell.type === "fragment")
    return cell.components.reduce((sum, one) => sum + columnsOf(one), 0);
  return (cell.type === "table-cell" && cell.colspan) || 1;
}
