// html -> pdf, and pages -> png or jpg. Guarantees that no document reaches the network or another document, and that
// every failure ends in a typed error in bounded time. Owns Chromium; independent of templates and storage.
export { FONT_FAMILIES, GENERIC_FAMILIES } from "./fonts/font-families.js";
export {
  getFamilyAliases,
  readFace,
  listShippedFaces,
} from "./fonts/font-files.js";
export { FontSubsetter } from "./fonts/font-subsetter.js";
export { findUsedFaces } from "./fonts/used-faces.js";
export { DEFAULT_SCALE } from "./images/image-limits.js";
export type * from "./jobs.js";
export {
  createRenderer,
  type FinishedRender,
  type Renderer,
  type RendererStats,
  type RenderListener,
  type RenderSettings,
  RENDERER,
  BACKGROUND_RENDERER,
} from "./renderer.js";
export type { Isolation } from "./page-pool.js";
export { installBrowser } from "./browser/browser-installation.js";
export { PdfEditor } from "./pdf/pdf-editor.js";
