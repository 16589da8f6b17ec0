import type { Assets } from "../../assets/index.js";
import type {
  Documents,
  DraftPreviews,
  RenderDocument,
} from "../../documents/index.js";
import type { TemplateEditor, Templates } from "../../templates/index.js";

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
