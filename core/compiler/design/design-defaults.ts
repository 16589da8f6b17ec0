import type { DesignDefaults } from "../../plugin-api/index.js";
import { DEFAULT_CHART_HEIGHT } from "../components/emit-chart.js";
import { DEFAULT_QRCODE_SIZE } from "../components/emit-codes.js";
import { DEFAULT_FORMAT } from "../components/emit-page-number.js";
import { SIGN_FIELD_BOXES } from "../components/emit-sign-field.js";
import { PALETTE } from "../drawing/chart/chart-colors.js";
import { NETWORKS } from "../email/draw-elements.js";
import { EMAIL_FRAME } from "../email/email-frame.js";
import { DEFAULT_GAP } from "../layout/column-gap.js";
import { DEFAULT_MARGIN } from "../../definition/page/paper.js";
import { USUAL_MARK } from "../page/watermark.js";
import { usualBarcodes } from "./usual-barcodes.js";

/** What the emitters draw where a definition says nothing, told by themselves. */
export function designDefaults(): DesignDefaults {
  return {
    pageMargin: DEFAULT_MARGIN,
    watermark: USUAL_MARK,
    columnGap: DEFAULT_GAP,
    pageNumber: DEFAULT_FORMAT,
    signFields: SIGN_FIELD_BOXES,
    qrcodeSize: DEFAULT_QRCODE_SIZE,
    barcodes: usualBarcodes(),
    chartHeight: DEFAULT_CHART_HEIGHT,
    chartColors: PALETTE,
    email: { ...EMAIL_FRAME, networks: Object.fromEntries(NETWORKS) },
  };
}
