import { createToken } from "../lib/tokens.js";
import type { FontSubsetter, Renderer } from "./index.js";
import type { PdfEditor } from "./pdf/index.js";

export const RENDERER = createToken<Renderer>("Renderer");
/** The same renderer, with a limited number of jobs at a time, so that requests are served between those of batches. */
export const BACKGROUND_RENDERER = createToken<Renderer>("background Renderer");
export const PDF_EDITOR = createToken<PdfEditor>("PdfEditor");
export const FONT_SUBSETTER = createToken<FontSubsetter>("FontSubsetter");
