import {
  type ComponentType,
  type EditorDesign,
  STYLE_PROPERTIES,
} from "../../plugin-api/index.js";
import { BAND_STYLE } from "../band/band-style.js";
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
import { emailStyle } from "../email/email-style.js";
import { toPx } from "../../definition/page/lengths.js";
import { SIZES } from "../../definition/page/paper.js";
import { PAGE_STYLE } from "../page/page-style.js";
import { designDefaults } from "./design-defaults.js";
import { expressionWords } from "./expression-words.js";

const MM_PER_PX = 25.4 / 96;

/** What the compiler and the checker know, as far as an editor has to know it too. */
export function designFacts(): Omit<
  EditorDesign,
  "fontFamilies" | "fonts" | "fontAliases"
> {
  return {
    pageStyle: `${PAGE_STYLE}\n${BAND_STYLE}`,
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
    paper: Object.fromEntries(
      Object.entries(SIZES).map(([size, [width, height]]) => [
        size,
        [millimetres(width), millimetres(height)],
      ]),
    ),
  };
}

function listed(types: ReadonlySet<ComponentType>): ComponentType[] {
  return [...types];
}

function millimetres(length: string): number {
  return Number(((toPx(length) ?? 0) * MM_PER_PX).toFixed(2));
}
