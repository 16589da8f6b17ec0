import { px } from "../../definition/page/lengths.js";
import type { Paper } from "../../definition/page/paper.js";

/** How the html output looks in a browser: a sheet of the paper's width on a quiet ground, a plain page on a phone. */
export function screenStyle({ widthPx, heightPx, margin }: Paper): string {
  const padding = [margin.top, margin.right, margin.bottom, margin.left];
  return `@media screen{
html{background:#eceef2}
.sheet{position:relative;width:${px(widthPx)};max-width:100%;min-height:${px(heightPx)};margin:32px auto;padding:${padding.map(px).join(" ")};background:#fff;box-shadow:0 1px 2px #1018281a,0 8px 32px #1018281f}
.page-break{height:0;margin:${px(margin.bottom)} calc(-1*${px(margin.right)}) ${px(margin.top)} calc(-1*${px(margin.left)});border-top:10px solid #eceef2}
}
@media screen and (max-width:${px(widthPx)}){
.sheet{margin:0;padding:24px 18px;box-shadow:none;min-height:100vh}
.page-break{margin:24px -18px}
main{overflow-x:auto}
}
@media screen and (max-width:520px){
.columns{flex-wrap:wrap}
.column:not(.fixed){flex:1 1 140px!important}
}`;
}
