import type { Documents } from "../../documents/index.js";
import type { Resource } from "../resource.js";

const mostIds = 100;

/** Rendered documents with links to their files. Not listed: there are many, and each is gone after a day. */
export function documentResource({
  documents,
}: {
  documents: Documents;
}): Resource {
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
        pageSize: mostIds,
      });
      return data.map(({ id }) => id).filter((id) => id.startsWith(typed));
    },
    read: async ({ caller }, id) =>
      JSON.stringify(await documents.get(caller.organizationId, id)),
  };
}
