import { bandContents, type BandContent } from "../band/band-content.js";
import { compileSpot } from "../band/compile-spot.js";
import type { DrawnBand } from "../band/drawn-band.js";
import { bandsOf, mapEdges, type Edges } from "../band/edges.js";
import { locateNumbers } from "../band/locate-numbers.js";
import { withoutNumbers } from "../band/page-numbers.js";
import { rootTypes, type Scope } from "../binding/index.js";
import type { ProjectData } from "../definition/project-data.js";
import type { Run } from "../merge/run.js";
import { NamedStyles } from "../style/named-styles.js";
import { compileComponents } from "./compile-components.js";

/** The headers and footers of a template, compiled. */
export interface CompiledBands {
  render(root: Scope, run: Run): Edges<DrawnBand>;
  /** What the margins must leave for them, in CSS px. */
  heights: { top: number; bottom: number };
  weight: number;
}

interface CompiledBand {
  render(root: Scope, run: Run): DrawnBand;
  weight: number;
}

export function compileBands(definition: ProjectData): CompiledBands {
  const contents = bandContents(definition.page);
  const compiled = mapEdges(contents, (band) => compileBand(band, definition));
  const height = ({
    first,
    other,
  }: {
    first: BandContent | null;
    other: BandContent | null;
  }) => Math.max(first?.heightPx ?? 0, other?.heightPx ?? 0);
  return {
    render: (root, run) => mapEdges(compiled, (band) => band.render(root, run)),
    heights: { top: height(contents.top), bottom: height(contents.bottom) },
    weight: bandsOf(compiled).reduce((sum, band) => sum + band.weight, 0),
  };
}

function compileBand(
  { components, path }: BandContent,
  definition: ProjectData,
): CompiledBand {
  const types = rootTypes(definition.schema);
  const styles = new NamedStyles(definition.styles);
  const found = locateNumbers(components, path, styles);
  const live = compileComponents(components, path, definition);
  const art = found?.length
    ? compileComponents(withoutNumbers(components), path, definition)
    : live;
  const spots = found?.map((spot) => ({
    ...spot,
    text: compileSpot(spot, types),
  }));
  return {
    weight: live.weight + art.weight,
    render: (root, run) => {
      const html = live.render(root, run);
      return {
        html,
        art: art === live ? html : art.render(root, run),
        spots:
          spots?.map((spot) => ({ ...spot, text: spot.text(root) })) ?? null,
      };
    },
  };
}
