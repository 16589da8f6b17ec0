import type { ProjectData } from "../definition/project-data.js";
import { px } from "../layout/lengths.js";
import { layOutPaper } from "../layout/paper.js";
import type { MergeOptions } from "../merge/merge-options.js";
import { testMark, WATERMARK_STYLE } from "../page/watermark.js";

/** An email made ready for print, and for a test: both are additions that a mail program passes over. */
export function onPaper(
  html: string,
  { page, email }: ProjectData,
  { isTest, renderOptions }: MergeOptions,
): { html: string; page: { widthPx: number; heightPx: number } } {
  const paper = layOutPaper({ margin: "10mm", ...page }, renderOptions);
  const { cssSize, margin, widthPx, heightPx } = paper;
  const sides = [margin.top, margin.right, margin.bottom, margin.left];
  const style =
    `<style>\n@page{size:${cssSize};margin:${sides.map(px).join(" ")};background:${email?.background ?? "#ffffff"}}\n` +
    `@media print{html{print-color-adjust:exact;-webkit-print-color-adjust:exact}}\n` +
    `${isTest ? `${WATERMARK_STYLE}\n` : ""}</style>\n`;
  const withStyle = before(html, "</head>", style);
  return {
    html: isTest ? before(withStyle, "</body>", testMark(paper)) : withStyle,
    page: { widthPx, heightPx },
  };
}

function before(html: string, mark: string, addition: string): string {
  const at = html.lastIndexOf(mark);
  return at < 0 ? html : html.slice(0, at) + addition + html.slice(at);
}
