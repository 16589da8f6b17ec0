import { basename } from "node:path/posix";
import { buffer } from "node:stream/consumers";
import type { Scope } from "../accounts/index.js";
import { definitionGuide } from "../definition/index.js";
import type { Documents, Thumbnails } from "../documents/index.js";
import { PlatenError } from "../plugin-api/index.js";
import type { Templates } from "../templates/index.js";
import type { Session } from "./tool.js";

/** An entry of `resources/list`. */
export interface ListedResource {
  uri: string;
  name: string;
  title?: string;
  mimeType: string;
}

/** A page of a list; `next` is what to ask for to get the one after it. */
interface ResourcePage {
  resources: ListedResource[];
  next?: string;
}

/** Something to read, or a family of it: then `uri` contains `{id}`. */
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
  /** @param id empty for a single resource. @returns a text, or bytes. @throws PlatenError as the capabilities do. */
  read(session: Session, id: string): Promise<string | Uint8Array>;
}

/** Every resource, in the order in which they are listed. */
export function createResources(services: {
  templates: Templates;
  documents: Documents;
  thumbnails: Thumbnails;
}): Resource[] {
  return [
    guideResource(),
    templateResource(services),
    thumbnailResource(services),
    documentResource(services),
  ];
}

function guideResource(): Resource {
  return {
    uri: "platen://guide/ast",
    name: "guide-ast",
    title: "Guide to definitions",
    description:
      "How to write a template's definition: pages, components, data binding, styles, with examples.",
    mimeType: "text/markdown",
    scope: "templates:read",
    read: async () => definitionGuide(),
  };
}

const pageSize = 50;
const mimeType = "application/json";

/** Templates with their definitions; the last changed are listed first. */
function templateResource({ templates }: { templates: Templates }): Resource {
  return {
    uri: "platen://templates/{id}",
    name: "template",
    title: "Template",
    description: "A template's settings and its definition.",
    mimeType,
    scope: "templates:read",
    async list({ caller }, page) {
      const { data, pagination } = await templates.list(caller.organizationId, {
        page,
        pageSize,
        recentlyUpdated: true,
      });
      const resources = data.map(({ id, name }) => ({
        uri: `platen://templates/${id}`,
        name: id,
        title: name,
        mimeType,
      }));
      const isLast = page * pageSize >= pagination.total;
      return { resources, ...(!isLast && { next: String(page + 1) }) };
    },
    complete: (session, typed) => completeTemplateId(templates, session, typed),
    read: async ({ caller }, id) =>
      JSON.stringify(await templates.get(caller.organizationId, id)),
  };
}

/** What a template looks like, without a render of it. */
function thumbnailResource({
  templates,
  thumbnails,
}: {
  templates: Templates;
  thumbnails: Thumbnails;
}): Resource {
  return {
    uri: "platen://templates/{id}/thumbnail",
    name: "template-thumbnail",
    title: "Thumbnail of a template",
    description:
      "A small picture of a template's first page with its sample data.",
    mimeType: "image/png",
    scope: "templates:read",
    complete: (session, typed) => completeTemplateId(templates, session, typed),
    async read({ caller }, id) {
      const { thumbnailUrl } = await templates.get(caller.organizationId, id);
      const { pathname } = new URL(thumbnailUrl);
      const picture = await thumbnails.find(id, basename(pathname, ".png"));
      const opened = await picture.open();
      if (opened === null)
        throw new PlatenError("not_found", "There is no such picture.");
      return buffer(opened.stream);
    },
  };
}

const maxDocumentIds = 100;

/** Rendered documents with links to their files. Not listed: there are many, and each is gone after a day. */
function documentResource({ documents }: { documents: Documents }): Resource {
  return {
    uri: "platen://documents/{id}",
    name: "document",
    title: "Document",
    description: "A rendered document: its status and links to its files.",
    mimeType: "application/json",
    scope: "documents:read",
    async complete({ caller }, typed) {
      const { data } = await documents.list(caller.organizationId, {
        page: 1,
        pageSize: maxDocumentIds,
      });
      return data.map(({ id }) => id).filter((id) => id.startsWith(typed));
    },
    read: async ({ caller }, id) =>
      JSON.stringify(await documents.get(caller.organizationId, id)),
  };
}

const maxTemplateIds = 100;

/** Ids of the last changed templates whose id begins with what was typed, or whose name holds it. */
export async function completeTemplateId(
  templates: Templates,
  { caller }: Session,
  typed: string,
): Promise<string[]> {
  const latest = { page: 1, pageSize: maxTemplateIds, recentlyUpdated: true };
  const [all, named] = await Promise.all([
    templates.list(caller.organizationId, latest),
    templates.list(caller.organizationId, { ...latest, q: typed }),
  ]);
  const begun = all.data.filter(({ id }) => id.startsWith(typed.toLowerCase()));
  const ids = [...begun, ...named.data].map(({ id }) => id);
  return [...new Set(ids)].slice(0, maxTemplateIds);
}
