import { createToken } from "../lib/tokens.js";
import type {
  Brands,
  CheckDeliver,
  InlineTemplates,
  Partials,
  TemplateEditor,
  TemplateGallery,
  Templates,
  ThumbnailUrl,
} from "./index.js";

export const TEMPLATES = createToken<Templates>("Templates");
export const BRANDS = createToken<Brands>("Brands");
export const INLINE_TEMPLATES = createToken<InlineTemplates>("InlineTemplates");
export const PARTIALS = createToken<Partials>("Partials");
export const TEMPLATE_EDITOR = createToken<TemplateEditor>("TemplateEditor");
export const TEMPLATE_GALLERY = createToken<TemplateGallery>("TemplateGallery");
/** Implemented by deliveries, which this capability may not import. */
export const CHECK_DELIVER = createToken<CheckDeliver>("checkDeliver");
export const THUMBNAIL_URL = createToken<ThumbnailUrl>("thumbnail URL");
