import { fitMarginBoxes, marginBoxes } from "../band/margin-boxes.js";
import { overlayOf } from "../band/overlay.js";
import { compileText, rootTypes, rootScope } from "../binding/index.js";
import type { ProjectData } from "../definition/project-data.js";
import { checkRecord } from "../merge/check-record.js";
import { safeFileName } from "../merge/file-name.js";
import { MERGE_LIMITS } from "../merge/limits.js";
import type {
  MergedDocument,
  MergeOptions,
  Program,
} from "../merge/merged-document.js";
import { Run } from "../merge/run.js";
import { assembleDocument } from "../page/assemble-document.js";
import { layOutPaper } from "../page/paper.js";
import { NamedStyles } from "../style/named-styles.js";
import { compileBands } from "./compile-bands.js";
import { compileComponents } from "./compile-components.js";

/** A document template: its components become the body, its page set-up the sheets under it. */
export function compileDocument(definition: ProjectData): Program {
  const types = rootTypes(definition.schema);
  const body = compileComponents(
    definition.components,
    "$.components",
    definition,
  );
  const bands = compileBands(definition);
  const fileName = compileText(definition.fileName ?? "", "$.fileName", types);
  const styles = new NamedStyles(definition.styles).css;
  const { locale = "en-US", currency = "USD", timeZone = "UTC" } = definition;

  const merge = (data: unknown, options: MergeOptions): MergedDocument => {
    checkRecord(data);
    const run = new Run({ ...MERGE_LIMITS, ...options.limits });
    const root = rootScope(
      data,
      run.context({ locale, currency, timeZone, now: options.now }),
    );
    const paper = layOutPaper(
      definition.page,
      options.renderOptions,
      bands.heights,
    );
    const drawn = bands.render(root, run);
    const fits = fitMarginBoxes(drawn, paper);
    const name = safeFileName(fileName(root, "plain"));
    const title = name ?? "Document";
    const html = assembleDocument({
      title,
      language: locale,
      paper,
      styles,
      body: body.render(root, run),
      bands: drawn,
      pageRules: fits ? marginBoxes(drawn, styles, paper) : "",
    });
    run.checkSize(html);
    return {
      html,
      fileName: name,
      page: { widthPx: paper.widthPx, heightPx: paper.heightPx },
      title,
      language: locale,
      assets: run.assets.references,
      overlay: fits ? null : overlayOf(drawn, styles, paper),
      report: {
        missing: run.missing,
        refusedImages: run.assets.refused,
        headers: fits ? "margin-box" : "overlay",
      },
    };
  };
  return { merge, weight: body.weight + bands.weight };
}
