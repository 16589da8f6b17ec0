// Templates as files in a folder: read, checked, previewed while they are edited, compared with pictures, and synchronized
// with an organization of a service.
export { LocalPrinter } from "./local-printer.js";
export { startPreviewServer } from "./preview-server.js";
export type { PreviewResult } from "./preview-session.js";
export { describeFileProblem, type FileProblem } from "./source-text.js";
export { createTestReport } from "./test-report.js";
export {
  createTemplateSchema,
  writeEditorSettings,
} from "./editor-settings.js";
export {
  describeVisualResult,
  runVisualTests,
  type VisualResult,
} from "./visual-tests.js";
export { type SyncResult, TemplateSync } from "./sync.js";
