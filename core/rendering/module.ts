import {
  type DependencyContainer,
  registerClass,
  registerFactory,
} from "../lib/injection.js";
import { CONFIG, LOG, PACKAGE } from "../lib/tokens.js";
import { createConfiguredRenderer, limitJobs } from "./renderer.js";
import { PdfEditor } from "./pdf/index.js";
import * as t from "./tokens.js";

export function registerRendering(container: DependencyContainer): void {
  registerClass(container, t.PDF_EDITOR, PdfEditor);
  registerFactory(container, t.RENDERER, (c) =>
    createConfiguredRenderer(
      c.resolve(CONFIG),
      c.resolve(PACKAGE),
      c.resolve(LOG),
    ),
  );
  registerFactory(container, t.BACKGROUND_RENDERER, (c) =>
    limitJobs(c.resolve(t.RENDERER), c.resolve(CONFIG).render.pages + 1),
  );
}
