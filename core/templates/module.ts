import {
  type DependencyContainer,
  registerClass,
  registerFactory,
} from "../lib/injection.js";
import { THUMBNAIL_LINKS } from "../storage/files/tokens.js";
import {
  Brands,
  InlineTemplates,
  Partials,
  TemplateEditor,
  TemplateGallery,
  Templates,
} from "./index.js";
import * as t from "./tokens.js";

export function registerTemplates(container: DependencyContainer): void {
  registerClass(container, t.TEMPLATES, Templates);
  registerClass(container, t.BRANDS, Brands);
  registerClass(container, t.INLINE_TEMPLATES, InlineTemplates);
  registerClass(container, t.PARTIALS, Partials);
  registerClass(container, t.TEMPLATE_EDITOR, TemplateEditor);
  registerClass(container, t.TEMPLATE_GALLERY, TemplateGallery);
  registerFactory(container, t.THUMBNAIL_URL, (c) => {
    const links = c.resolve(THUMBNAIL_LINKS);
    return (id, hash) => links.create(id, hash);
  });
}
