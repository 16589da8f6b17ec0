import { unguarded } from "./guarded-text.js";

/**
 * ECharts' marks without what an inline drawing has no use for: interaction classes and their style sheet, which would
 * reach the whole page, clips, whose ids count up from drawing to drawing, metadata, the empty ground, and what is
 * scaled to nothing. Text is escaped in it and attributes are ours, so that no pattern can begin inside data.
 */
export function bareMarks(svg: string): string {
  return unguarded(svg)
    .replace(/^<svg[^>]*>\s*/, "")
    .replace(/<\/svg>\s*$/, "")
    .replace(/<style[^>]*>[\s\S]*<\/style>/, "")
    .replace(/<defs[^>]*>[\s\S]*<\/defs>/, "")
    .replace(/<rect [^>]*fill="none"[^>]*><\/rect>/, "")
    .replace(/<path [^>]*transform="matrix\(0,0,0,0,[^>]*><\/path>/g, "")
    .replace(/<path [^>]*stroke-width="0"[^>]*><\/path>/g, "")
    .replace(/<path (?![^>]* stroke=)[^>]*fill="none"[^>]*><\/path>/g, "")
    .replace(/ (?:class|ecmeta_\w+|pointer-events|clip-path)="[^"]*"/g, "")
    .replace(
      / style="font-size:(\d+)px;font-family:inherit;"/g,
      ' style="font-size:$1px"',
    )
    .replace(/><\/path>/g, "/>")
    .replace(/\s*\n\s*/g, "");
}
