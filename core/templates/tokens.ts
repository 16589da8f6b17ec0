import { createToken } from "../lib/tokens.js";
import type {
  Brands,
  Partials,
  TemplateEditor,
  TemplateGallery,
  Templates,
  ThumbnailUrl,
} from "./index.js";

export const TEMPLATES = createToken<Templates>("Templates");
export const BRANDS = createToken<Brands>("Brands");
export const PARTIALS = createToken<Partials>("Partials");
export const TEMPLATE_EDITOR = createToken<TemplateEditor>("TemplateEditor");
export const TEMPLATE_GALLERY = createToken<TemplateGallery>("TemplateGallery");
export const THUMBNAIL_URL = createToken<ThumbnailUrl>("thumbnail URL");
