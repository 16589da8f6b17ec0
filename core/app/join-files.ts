import type { DependencyContainer } from "tsyringe";
import {
  Downloads,
  FileCleanup,
  StoredLinks,
  ThumbnailLinks,
} from "../storage/files/index.js";
import { make } from "./make.js";
import { serviceSecrets } from "./service-secrets.js";
import * as t from "./tokens.js";

/** Where files are kept, and by which links they are had. */
export function joinFiles(container: DependencyContainer): void {
  make(
    container,
    t.FILE_CLEANUP,
    (c) =>
      new FileCleanup(
        c.resolve(t.STORE),
        c.resolve(t.FILE_STORE),
        c.resolve(t.LOG),
        [(now) => c.resolve(t.ASSETS).sweep(now)],
      ),
  );
  make(container, t.STORED_LINKS, (c) => {
    const [secret, ...earlier] = serviceSecrets(c);
    return new StoredLinks(c.resolve(t.BASE_URL), secret, earlier);
  });
  make(
    container,
    t.THUMBNAIL_LINKS,
    (c) => new ThumbnailLinks(c.resolve(t.BASE_URL), c.resolve(t.SECRET)),
  );
  make(
    container,
    t.DOWNLOADS,
    (c) => new Downloads(c.resolve(t.STORE).read, c.resolve(t.STORED_LINKS)),
  );
}
