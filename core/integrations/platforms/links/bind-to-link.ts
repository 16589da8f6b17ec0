import { PlatenError, type Problem } from "../../../plugin-api/index.js";
import type { Link } from "../../../storage/database/index.js";

type Body = Record<string, unknown>;

/** What is told by the link, and how it may be said again in a request: by these values and no others. */
function boundBy(link: Link): Record<string, unknown[]> {
  return {
    templateId: [link.templateId],
    connectionId: [link.connectionId],
    baseId: [link.baseId],
    tableId: [link.tableId, link.tableName],
    attachmentField: [link.fieldId, link.fieldName],
    formats: [link.formats],
    overwriteExisting: [link.overwriteExisting],
  };
}

/**
 * The body of a request that came with a link: what it left out is filled in.
 * @throws PlatenError `invalid_request` that lists what it names and the link is not for.
 */
export function bindToLink(link: Link, platform: string, body: Body): Body {
  const problems: Problem[] = [];
  const bound = boundBy(link);
  for (const [name, values] of Object.entries(bound))
    if (
      body[name] !== undefined &&
      !values.some((one) => same(one, body[name]))
    )
      problems.push(otherThan(name));
  if ("templateVersion" in body) problems.push(otherThan("templateVersion"));
  if (platform !== link.platform || problems.length > 0)
    throw new PlatenError(
      "invalid_request",
      `This link makes documents of one template from one table of ${link.platform} and can do nothing else.`,
      { problems },
    );
  const { token: _, ...rest } = body;
  return { ...rest, ...told(bound) };
}

function told(bound: Record<string, unknown[]>): Body {
  return Object.fromEntries(
    Object.entries(bound).flatMap(([name, [value]]) =>
      value === null || value === undefined ? [] : [[name, value]],
    ),
  );
}

function same(one: unknown, other: unknown): boolean {
  return one !== null && JSON.stringify(one) === JSON.stringify(other);
}

function otherThan(name: string): Problem {
  return {
    path: `$.${name}`,
    code: "bound",
    message: "is settled by the link; leave it out",
  };
}
