import {
  type DependencyContainer,
  registerClass,
} from "../../lib/injection.js";
import {
  Downloads,
  FileCleanup,
  StoredLinks,
  ThumbnailLinks,
} from "./index.js";
import * as t from "./tokens.js";

export function registerFiles(container: DependencyContainer): void {
  registerClass(container, t.FILE_CLEANUP, FileCleanup);
  registerClass(container, t.STORED_LINKS, StoredLinks);
  registerClass(container, t.THUMBNAIL_LINKS, ThumbnailLinks);
  registerClass(container, t.DOWNLOADS, Downloads);
}
