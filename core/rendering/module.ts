import {
  type DependencyContainer,
  registerClass,
  registerFactory,
} from "../lib/injection.js";
import { CONFIG, LOG, PACKAGE } from "../lib/tokens.js";
import { FontSubsetter } from "./fonts/font-subsetter.js";
import { createConfiguredRenderer, limitJobs } from "./renderer.js";
import { PdfEditor } from "./pdf/index.js";
import * as t from "./tokens.js";

export function registerRendering(container: DependencyContainer): void {
  registerClass(container, t.PDF_EDITOR, PdfEditor);
  registerClass(container, t.FONT_SUBSETTER, FontSubsetter);
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
