import type { Templates } from "../../templates/index.js";
import type { Resource } from "../resource.js";
import { templateIds } from "../template-ids.js";

const pageSize = 50;
const mimeType = "application/json";

/** Templates with their definitions; the last changed are listed first. */
export function templateResource({
  templates,
}: {
  templates: Templates;
}): Resource {
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
    complete: (session, typed) => templateIds(templates, session, typed),
    read: async ({ caller }, id) =>
      JSON.stringify(await templates.get(caller.organizationId, id)),
  };
}
