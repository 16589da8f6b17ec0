import { useRef } from "preact/hooks";
import { BandView } from "./band-view.js";
import { useCanvas } from "./canvas-state.js";
import { EmptyPage } from "./empty-page.js";
import { ListView } from "./list-view.js";
import { PageEnds } from "./page-ends.js";
import { Watermark } from "./watermark.js";
import { blockPlace } from "./place.js";
import { groundOf } from "./ground.js";

/** A document on its paper: one tall sheet, with the margins, headers and footers of a page. */
export function DocumentSheet() {
  const { editor, paper } = useCanvas();
  const main = useRef<HTMLDivElement>(null);
  const { width, height, top, right, bottom, left } = paper.value;
  const { page, components } = editor.definition.value;
  const sides = [top, right, bottom, left].map((side) => `${side}px`);
  return (
    <div
      class="sheet on-paper"
      style={{
        width: `${width}px`,
        minHeight: `${height}px`,
        padding: sides.join(" "),
        ...groundOf(page?.background, paper.value),
      }}
    >
      <BandView edge="header" />
      <div class="d-main" data-list="body" ref={main}>
        {components.length === 0 ? (
          <EmptyPage words="This page is empty" />
        ) : (
          <ListView components={components} place={blockPlace} />
        )}
      </div>
      <BandView edge="footer" />
      <div
        class="margin-guide"
        style={{ inset: sides.join(" ") }}
        aria-hidden="true"
      />
      <PageEnds main={main} />
      <Watermark watermark={page?.watermark} paper={paper.value} />
    </div>
  );
}
