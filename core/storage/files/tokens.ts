import { createToken } from "../../lib/tokens.js";
import type {
  Downloads,
  FileSweeper,
  StoredLinks,
  ThumbnailLinks,
} from "./index.js";

export const FILE_SWEEPER = createToken<FileSweeper>("FileSweeper");
/** Links to the files of documents. */
export const STORED_LINKS = createToken<StoredLinks>("StoredLinks");
export const THUMBNAIL_LINKS = createToken<ThumbnailLinks>("ThumbnailLinks");
export const DOWNLOADS = createToken<Downloads>("Downloads");
