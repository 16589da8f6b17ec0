import type { Assets } from "../../asset/index.js";
import type {
  Documents,
  DraftPreviews,
  RenderDocument,
  TemplateEditor,
  Templates,
} from "../../document/index.js";

/** What the tools open onto; joined in core/join-mcp.ts. */
export interface ToolServices {
  templates: Templates;
  templateEditor: TemplateEditor;
  draftPreviews: DraftPreviews;
  documents: Documents;
  renderDocument: RenderDocument;
  renderTimeoutMs: number;
  assets: Assets;
  /** The folder that a local server's callers may upload from; null for a hosted server. */
  assetRoot: string | null;
}
