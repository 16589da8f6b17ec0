import { useSignalEffect } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { CanvasState } from "./canvas-state.js";
import { writeNamedStyles } from "./named-styles.js";
import { adopt, sheetStyle } from "./page-style.js";

/** While the canvas is there, the page has the style sheets of print: the one of all documents or emails, then the template's own. */
export function useSheetStyle(canvas: CanvasState): void {
  const { editor } = canvas;
  const own = useMemo(() => new CSSStyleSheet(), []);
  useEffect(() => {
    const page = new CSSStyleSheet();
    const { pageStyle, emailStyle } = editor.design;
    const isEmail = editor.templateType === "email";
    page.replaceSync(sheetStyle(isEmail ? emailStyle : pageStyle));
    const ends = [adopt(page), adopt(own)];
    return () => ends.forEach((end) => end());
  }, [editor, own]);
  useSignalEffect(() =>
    writeNamedStyles(own, canvas.styles.value, editor.design.fontAliases),
  );
}
