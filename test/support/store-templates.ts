import { operator } from "../../core/accounts/index.js";
import { type TemplateOwner, Templates } from "../../core/templates/index.js";
import { Organization, type Store } from "../../core/storage/database/index.js";
import { newOrganization } from "./store-account.js";

export const definition = {
  schema: [{ id: "root", fields: [{ name: "name", type: "String" }] }],
  components: [{ type: "text", text: "Hello {{ root.name }}" }],
};

/** The template catalogue on a store; pictures have made-up addresses. */
export function templatesOf(store: Store): Templates {
  return new Templates(store, (id, hash) => `/thumbnails/${id}/${hash}`);
}

/** A new organization, and its own user to act as. */
export async function newOwner(store: Store): Promise<TemplateOwner> {
  const organizationId = await newOrganization(store);
  const { serviceUserId } = await store.read.findOneByOrFail(Organization, {
    id: organizationId,
  });
  return { organizationId, userId: serviceUserId };
}

/** Publishes a small template and says its id. */
export async function publish(
  store: Store,
  owner: TemplateOwner,
  input: object = {},
): Promise<string> {
  const template = { name: "Letter", definition, ...input };
  const { id } = await templatesOf(store).publish(owner, template, operator);
  return id;
}
