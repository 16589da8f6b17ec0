import type { DesignBarcode, DesignDefaults } from "../../plugin-api/index.js";
import { drawBarcode, type Symbology } from "../drawing/index.js";

/** Of each symbology a value as long as most are. */
const VALUES: Readonly<Record<Symbology, string>> = {
  code128: "12345678",
  code39: "12345678",
  ean13: "4006381333931",
  ean8: "73513537",
  upca: "036000291452",
  itf14: "10012345678902",
  datamatrix: "12345678",
  pdf417: "12345678",
};

/** How large codes are whose definition names no height: measured on the drawings themselves. */
export function usualBarcodes(): DesignDefaults["barcodes"] {
  return {
    code128: measured("code128"),
    code39: measured("code39"),
    ean13: measured("ean13"),
    ean8: measured("ean8"),
    upca: measured("upca"),
    itf14: measured("itf14"),
    datamatrix: measured("datamatrix"),
    pdf417: measured("pdf417"),
  };
}

function measured(symbology: Symbology): DesignBarcode {
  const value = VALUES[symbology];
  const usual = sizeOf(drawBarcode({ value, symbology }));
  const bare = sizeOf(drawBarcode({ value, symbology, showText: false }));
  const full = sizeOf(drawBarcode({ value, symbology, showText: true }));
  return {
    width: usual.width,
    height: bare.height,
    wordsHeight: Number((full.height - bare.height).toFixed(2)),
    hasWords: usual.height > bare.height,
  };
}

/** In mm. */
function sizeOf(svg: string): { width: number; height: number } {
  const [, width, height] =
    /width="([\d.]+)mm" height="([\d.]+)mm"/.exec(svg) ?? [];
  return { width: Number(width), height: Number(height) };
}
