import { bandContents, type BandContent } from "../band/band-content.js";
import type { BandProgram } from "../band/band-program.js";
import { compileSpot } from "../band/compile-spot.js";
import { bandsOf, mapEdges, type Edge, type Edges } from "../band/edges.js";
import { locateNumbers } from "../band/locate-numbers.js";
import { withoutNumbers } from "../../definition/page/page-numbers.js";
import { rootTypes } from "../../definition/expressions/index.js";
import type { ProjectData } from "../../definition/schema/project-data.js";
import { percentEncoded } from "../output/escape.js";
import { localeOf } from "../merge/locale.js";
import { textDirection } from "../page/text-direction.js";
import { NamedStyles } from "../style/named-styles.js";
import { compileComponents } from "./compile-components.js";

/** The headers and footers of a template, compiled. */
export interface CompiledBands {
  programs: Edges<BandProgram>;
  /** What the margins must leave for them, in CSS px. */
  heights: { top: number; bottom: number };
  weight: number;
}

export function compileBands(definition: ProjectData): CompiledBands {
  const contents = bandContents(definition.page);
  const programs = mapEdges(contents, (band) => compileBand(band, definition));
  return {
    programs,
    heights: { top: height(contents.top), bottom: height(contents.bottom) },
    weight: bandsOf(programs).reduce((sum, { weight }) => sum + weight, 0),
  };
}

function height({ first, other }: Edge<BandContent>): number {
  return Math.max(first?.heightPx ?? 0, other?.heightPx ?? 0);
}

function compileBand(
  { components, path }: BandContent,
  definition: ProjectData,
): BandProgram {
  const types = rootTypes(definition.schema);
  const styles = new NamedStyles(definition.styles);
  const live = compileComponents(components, path, definition);
  const art = compileComponents(
    withoutNumbers(components),
    path,
    definition,
    percentEncoded,
  );
  const direction = textDirection(localeOf(definition).locale);
  const spots = locateNumbers(components, path, { styles, direction });
  return {
    live: live.render,
    art: art.render,
    spots:
      spots?.map((spot) => ({ ...spot, text: compileSpot(spot, types) })) ??
      null,
    weight: live.weight + art.weight,
  };
}
