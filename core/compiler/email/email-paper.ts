import type { ProjectData } from "../../definition/schema/project-data.js";
import { px } from "../../definition/page/lengths.js";
import { EMAIL_FRAME } from "./email-frame.js";
import { layOutPaper, type Paper } from "../../definition/page/paper.js";
import type { MergeOptions } from "../merge/merge-options.js";
import type { MergedDocument } from "../merge/merged-document.js";
import { testMark, WATERMARK_STYLE } from "../page/watermark.js";
import type { PageParts } from "./email-page.js";

type Printed = Pick<MergedDocument, "html" | "page">;

type PutOnPaper = (page: PageParts, isTest: boolean) => Printed;

/** Makes emails ready for print, and for a test: both are additions that a mail program passes over. */
export function compilePaper({
  page,
  email,
}: ProjectData): (page: PageParts, options: MergeOptions) => Printed {
  const lay = (options?: MergeOptions["renderOptions"]) =>
    putOnPaper(
      layOutPaper({ margin: "10mm", ...page }, options),
      email?.background ?? "#ffffff",
      (email?.width ?? EMAIL_FRAME.width) + 2 * EMAIL_FRAME.ground,
    );
  const own = lay();
  return (cut, { isTest, renderOptions }) =>
    (renderOptions ? lay(renderOptions) : own)(cut, isTest);
}

function putOnPaper(
  paper: Paper,
  background: string,
  windowPx: number,
): PutOnPaper {
  const { cssSize, margin, widthPx, heightPx } = paper;
  const sides = [margin.top, margin.right, margin.bottom, margin.left];
  const style =
    `<style>\n@page{size:${cssSize};margin:${sides.map(px).join(" ")};background:${background}}\n` +
    "@media print{html{print-color-adjust:exact;-webkit-print-color-adjust:exact}}\n";
  const mark = testMark(paper);
  return ({ head, body, end }, isTest) => ({
    html: isTest
      ? `${head}${style}${WATERMARK_STYLE}\n</style>\n${body}${mark}${end}`
      : `${head}${style}</style>\n${body}${end}`,
    page: { widthPx, heightPx, margin, windowPx },
  });
}
