import { createToken } from "../../lib/tokens.js";
import type {
  DraftService,
  FieldService,
  PersonFirstSteps,
  ShippedFonts,
} from "./index.js";

export const DRAFT_SERVICE = createToken<DraftService>("DraftService");
export const FIELD_SERVICE = createToken<FieldService>("FieldService");
export const FIRST_STEPS = createToken<PersonFirstSteps>("PersonFirstSteps");
/** Registered by core/app, since drafts know nothing of the renderer. */
export const SHIPPED_FONTS = createToken<ShippedFonts>("ShippedFonts");
