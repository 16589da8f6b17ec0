import { requireScope } from "../../accounts/index.js";
import { PlatenError } from "../../plugin-api/index.js";
import type { ListedResource, Resource } from "../resource.js";
import { inProtocol, type Offering, within } from "./offering.js";

/** Lists the resources that the key may read, and reads them. */
export function offerResources(
  offering: Offering,
  resources: readonly Resource[],
): void {
  const { server, session } = offering;
  server.setRequestHandler("resources/list", ({ params }) =>
    inProtocol(offering, () => list(offering, resources, params?.cursor)),
  );
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: within(session, resources)
      .filter(isFamily)
      .map(({ uri, name, title, description, mimeType }) => ({
        uriTemplate: uri,
        name,
        title,
        description,
        mimeType,
      })),
  }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) =>
    inProtocol(offering, () => read(offering, resources, uri), uri),
  );
}

function isFamily({ uri }: Resource): boolean {
  return uri.endsWith(familyEnd);
}

const familyEnd = "{id}";

/** The single resources and then the families, page by page; the cursor is `<family's name>:<page>`. */
async function list(
  { session }: Offering,
  resources: readonly Resource[],
  cursor: string | undefined,
) {
  const mine = within(session, resources);
  const families = mine.filter(isFamily).filter(({ list: lists }) => lists);
  const [name = families[0]?.name, page = "1"] = cursor?.split(":") ?? [];
  const at = families.findIndex((family) => family.name === name);
  if (cursor !== undefined && (at < 0 || !/^[1-9]\d{0,5}$/.test(page)))
    throw new PlatenError(
      "invalid_request",
      "This cursor is not one of ours. Begin anew without one.",
    );
  const listed =
    cursor === undefined ? mine.filter((one) => !isFamily(one)) : [];
  const family = await families[at]?.list?.(session, Number(page));
  const next = family?.next
    ? `${name}:${family.next}`
    : firstPageOf(families[at + 1]);
  return {
    resources: [...listed.map(single), ...(family?.resources ?? [])],
    ...(at >= 0 && next !== undefined && { nextCursor: next }),
  };
}

function firstPageOf(family: Resource | undefined): string | undefined {
  return family && `${family.name}:1`;
}

function single({
  uri,
  name,
  title,
  description,
  mimeType,
}: Resource): ListedResource & { description: string } {
  return { uri, name, title, description, mimeType };
}

async function read(
  { session }: Offering,
  resources: readonly Resource[],
  uri: string,
) {
  for (const resource of resources) {
    const id = idIn(resource, uri);
    if (id === null) continue;
    requireScope(session.caller, resource.scope);
    const text = await resource.read(session, id);
    return { contents: [{ uri, mimeType: resource.mimeType, text }] };
  }
  throw new PlatenError(
    "not_found",
    `There is no resource ${uri}. Resources are: ${resources.map((one) => one.uri).join(", ")}.`,
  );
}

/** Null when the address is another's. */
function idIn(resource: Resource, uri: string): string | null {
  if (!isFamily(resource)) return uri === resource.uri ? "" : null;
  const prefix = resource.uri.slice(0, -familyEnd.length);
  return uri.startsWith(prefix) && uri !== prefix
    ? uri.slice(prefix.length)
    : null;
}
