import type { Scope } from "../accounts/index.js";
import type { Session } from "./session.js";

/** Something to read, of which `resources/list` tells. */
export interface ListedResource {
  uri: string;
  name: string;
  title?: string;
  mimeType: string;
}

/** A page of a list; `next` is what to ask for to get the one after it. */
export interface ResourcePage {
  resources: ListedResource[];
  next?: string;
}

/** Something to read, or a family of it: then `uri` ends in `/{id}`. */
export interface Resource {
  /** `platen://guide/ast`, or `platen://templates/{id}`. */
  uri: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
  /** Who lacks it neither sees the resource nor may read it. */
  scope: Scope;
  /** Those of a family that are there, page by page; a family without it is not listed. */
  list?: (session: Session, page: number) => Promise<ResourcePage>;
  /** Ids of a family that fit what was typed so far, 100 at most. */
  complete?: (session: Session, typed: string) => Promise<string[]>;
  /** @param id empty for a single resource. @throws PlatenError as the rooms do. */
  read(session: Session, id: string): Promise<string>;
}
