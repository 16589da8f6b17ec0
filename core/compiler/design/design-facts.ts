import type { EditorDesign, DesignDefaults, DesignBarcode } from "../views.js";
import { DEFAULT_GAP } from "../../definition/page/layout.js";
import { DEFAULT_QRCODE_SIZE } from "../../definition/qrcodes.js";
import { OPERATORS } from "../../definition/schema/data-schema.js";
import { definitionJsonSchema } from "../../definition/schema/json-schema.js";
import {
  ALLOWED_CHILDREN,
  BAND_ONLY,
  BODY_ONLY,
  DOCUMENT_ONLY,
  EMAIL_ONLY,
  REQUIRED_PARENTS,
  TOP_LEVEL,
} from "../../definition/schema/placement.js";
import {
  type ComponentType,
  STYLE_PROPERTIES,
} from "../../plugin-api/index.js";
import { DEFAULT_CHART_HEIGHT } from "../components/emit-drawings.js";
import { DEFAULT_FORMAT, SIGN_FIELD_BOXES } from "../components/emit-blocks.js";
import { drawBarcode, type Symbology } from "../drawing/index.js";
import {
  DEFAULT_ICON_COLOR,
  DEFAULT_ICON_SIZE,
} from "../email/email-content.js";
import {
  LINK_PATH,
  SOCIAL_ALIASES,
  SOCIAL_NETWORKS,
} from "../drawing/index.js";
import { EMAIL_FRAME, emailStyle } from "../email/email-style.js";
import { HEADER_STYLE, PAGE_STYLE } from "../page/page-style.js";
import { expressionWords } from "./expression-words.js";

/** The facts of the compiler and the checker that an editor needs. */
export function getDesignFacts(): Omit<
  EditorDesign,
  "fontFamilies" | "fonts" | "fontAliases"
> {
  return {
    pageStyle: `${PAGE_STYLE}\n${HEADER_STYLE}`,
    emailStyle: emailStyle(),
    defaults: designDefaults(),
    jsonSchema: definitionJsonSchema(),
    allowedChildren: Object.fromEntries(ALLOWED_CHILDREN),
    requiredParents: Object.fromEntries(REQUIRED_PARENTS),
    topLevel: listed(TOP_LEVEL),
    bandOnly: listed(BAND_ONLY),
    bodyOnly: listed(BODY_ONLY),
    documentOnly: listed(DOCUMENT_ONLY),
    emailOnly: listed(EMAIL_ONLY),
    styleProperties: STYLE_PROPERTIES,
    operators: OPERATORS,
    ...expressionWords(),
  };
}

function listed(types: ReadonlySet<ComponentType>): ComponentType[] {
  return [...types];
}

/** The defaults of the emitters. */
function designDefaults(): DesignDefaults {
  return {
    columnGap: DEFAULT_GAP,
    pageNumber: DEFAULT_FORMAT,
    signFields: SIGN_FIELD_BOXES,
    qrcodeSize: DEFAULT_QRCODE_SIZE,
    barcodes: measureBarcodes(),
    chartHeight: DEFAULT_CHART_HEIGHT,
    email: {
      ...EMAIL_FRAME,
      networks: Object.fromEntries(SOCIAL_NETWORKS),
      networkAliases: Object.fromEntries(SOCIAL_ALIASES),
      linkPath: LINK_PATH,
      iconSize: DEFAULT_ICON_SIZE,
      iconColor: DEFAULT_ICON_COLOR,
    },
  };
}

/** A value of typical length for each symbology. */
const VALUES: Readonly<Record<Symbology, string>> = {
  code128: "12345678",
  code39: "12345678",
  ean13: "4006381333931",
  ean8: "73513537",
  upca: "036000291452",
  itf14: "10012345678902",
  "gs1-128": "(01)09506000134352",
  datamatrix: "12345678",
  gs1datamatrix: "(01)09506000134352",
  pdf417: "12345678",
};

/** Measures the default size of barcodes on the drawings themselves. */
function measureBarcodes(): DesignDefaults["barcodes"] {
  return {
    code128: measured("code128"),
    code39: measured("code39"),
    ean13: measured("ean13"),
    ean8: measured("ean8"),
    upca: measured("upca"),
    itf14: measured("itf14"),
    "gs1-128": measured("gs1-128"),
    datamatrix: measured("datamatrix"),
    gs1datamatrix: measured("gs1datamatrix"),
    pdf417: measured("pdf417"),
  };
}

function measured(symbology: Symbology): DesignBarcode {
  const svg = drawBarcode({ value: VALUES[symbology], symbology });
  const [, width, height] =
    /width="([\d.]+)mm" height="([\d.]+)mm"/.exec(svg) ?? [];
  return { width: Number(width), height: Number(height) };
}
