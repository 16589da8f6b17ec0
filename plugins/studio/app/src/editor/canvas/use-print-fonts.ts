import { useEffect } from "preact/hooks";
import type { DesignFont } from "../../../../../../core/plugin-api/app-drafts.js";
import { local } from "../../api.js";
import { base } from "../../router.js";
import type { Editor } from "../model/editor.js";

/** Makes the fonts of print known by their names; the browser fetches those alone that a template uses. */
export function usePrintFonts({ design }: Editor): void {
  useEffect(() => {
    const faces = design.fonts.map(faceOf);
    for (const face of faces) document.fonts.add(face);
    return () => faces.forEach((face) => document.fonts.delete(face));
  }, [design]);
}

function faceOf({ family, weight, style, source }: DesignFont): FontFace {
  const address =
    "file" in source
      ? `${base}api/fonts/${encodeURIComponent(source.file)}`
      : local(source.url);
  return new FontFace(family, `url("${address}")`, {
    weight,
    style,
    display: "swap",
  });
}
