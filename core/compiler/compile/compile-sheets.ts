import { rootTypes } from "../../definition/expressions/index.js";
import type { ProjectData } from "../../definition/schema/project-data.js";
import type { RenderOptions } from "../../definition/schema/render-options.js";
import { localeOf } from "../merge/locale.js";
import { compileBackground } from "../page/background.js";
import { layOutPaper } from "../../definition/page/paper.js";
import { layOutSheet, type Sheet, type SheetParts } from "../page/sheet.js";
import { compileWatermark } from "../page/watermark.js";
import { NamedStyles } from "../style/named-styles.js";
import { compileBands } from "./compile-bands.js";

export interface Sheets {
  /** The template's own sheet, or one as a request changed it. */
  of(options: RenderOptions | undefined): Sheet;
  weight: number;
}

export function compileSheets(definition: ProjectData): Sheets {
  const { page, schema, styles } = definition;
  const types = rootTypes(schema);
  const { programs, heights, weight } = compileBands(definition);
  const parts: SheetParts = {
    bands: programs,
    styles: new NamedStyles(styles).css,
    background: compileBackground(page?.background, types),
    watermark: compileWatermark(page?.watermark, types),
    language: localeOf(definition).locale,
  };
  const own = layOutSheet(parts, layOutPaper(page, {}, heights));
  return {
    weight,
    of: (options) =>
      options === undefined || Object.keys(options).length === 0
        ? own
        : layOutSheet(parts, layOutPaper(page, options, heights)),
  };
}
