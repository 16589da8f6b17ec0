// html -> pdf, and pages -> png or jpg. Guarantees that no document reaches the network or another document, and that
// every failure ends in a typed error in bounded time. Owns Chromium; knows nothing of templates and storage.
export { FONT_FAMILIES, type FontFamily } from "./fonts/font-families.js";
export {
  getFamilyAliases,
  readFace,
  type ShippedFace,
  listShippedFaces,
} from "./fonts/font-files.js";
export type * from "./jobs.js";
export type * from "./jobs.js";
export {
  type Renderer,
  type RendererHealth,
  createRenderer,
} from "./renderer.js";
export type * from "./stats.js";
export type { Isolation, RenderSettings, SandboxSetting } from "./settings.js";
export { installBrowser } from "./browser/browser-installation.js";
