import type { Band } from "../../../../../../core/plugin-api/definition.js";
import { addBand } from "../model/edits.js";
import { type BandName, componentsOf } from "../model/tree.js";
import { Icon } from "../../ui/icon.js";
import { useCanvas } from "./canvas-state.js";
import { ListView } from "./list-view.js";
import { blockPlace } from "./place.js";

type Edge = "header" | "footer";

const firsts = { header: "firstHeader", footer: "firstFooter" } as const;

/** The header or footer of the page that is shown, within its margin. */
export function BandView({ edge }: { edge: Edge }) {
  const canvas = useCanvas();
  const { editor, page: shown, paper } = canvas;
  const { page = {} } = editor.definition.value;
  const first = firsts[edge];
  const isFirst = shown.value === "first" && page[first] !== undefined;
  const name = isFirst ? first : edge;
  const band = page[name];
  const { top, right, bottom, left } = paper.value;
  const height = edge === "header" ? top : bottom;
  const place = {
    height: `${height}px`,
    left: `${left}px`,
    right: `${right}px`,
  };
  return (
    <div class={`band-place at-${edge}`} style={place}>
      {band === undefined ? (
        <NoBand edge={edge} />
      ) : (
        <DrawnBand name={name} band={band} edge={edge} />
      )}
    </div>
  );
}

interface DrawnBandProps {
  name: BandName;
  band: Band;
  edge: Edge;
}

function DrawnBand({ name, band, edge }: DrawnBandProps) {
  return (
    <div class={`d-${edge} d-band`} data-list={name}>
      <ListView
        components={componentsOf(band)}
        place={blockPlace}
        hint={edge === "header" ? "Empty header" : "Empty footer"}
      />
    </div>
  );
}

/** Where a header or footer could be. */
function NoBand({ edge }: { edge: Edge }) {
  const { editor } = useCanvas();
  if (!editor.mayEdit) return null;
  return (
    <button
      type="button"
      class="add-band"
      // For pointers: the outline and the page's properties have it for keys, and nobody passes it on the way to those.
      tabIndex={-1}
      onClick={() => addBand(editor, edge)}
    >
      <Icon name="plus" size={14} />
      {edge === "header" ? "Add a header" : "Add a footer"}
    </button>
  );
}
