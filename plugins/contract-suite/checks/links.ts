import { deepEqual, ok } from "node:assert/strict";
import type { SessionCheck } from "../check.js";
import type { Session } from "../session.js";
import type { KnownLinks } from "../subject.js";

function linksOf<C>({ fixture: { links } }: Session<C>): KnownLinks {
  ok(links, "the fixture needs `links` for this plugin");
  const longest = Math.max(
    ...Object.values(links.expected).map(({ length }) => length),
  );
  ok(longest > 100, "the fixture needs a row with more than 100 links");
  return links;
}

const appliesTo: SessionCheck["appliesTo"] = ({ capabilities }) =>
  capabilities.links;

export const linkChecks: readonly SessionCheck[] = [
  {
    title: "describe says where the link leads",
    appliesTo,
    run: async (session) => {
      const { scope } = session.fixture;
      const { fieldId } = linksOf(session);
      const tables = await session.host.describe(scope.baseId);
      const field = tables
        .find(({ id }) => id === scope.tableId)
        ?.fields.find(({ id }) => id === fieldId);
      ok(field?.link, `${fieldId} must have \`link\``);
      const { tableId } = field.link;
      ok(
        tables.some(({ id }) => id === tableId),
        `describe must list ${tableId}, where ${fieldId} leads`,
      );
    },
  },
  {
    title: "links are complete beyond 25 and 100",
    appliesTo,
    run: async (session) => {
      const { fieldId, expected } = linksOf(session);
      const ids = Object.keys(expected);
      const { rows } = await session.host.fetchRows(session.fixture.scope, ids);
      for (const { id, links } of rows)
        deepEqual(
          links[fieldId]?.toSorted() ?? [],
          expected[id]?.toSorted(),
          `row ${id} has ${links[fieldId]?.length ?? 0} links, not ${expected[id]?.length ?? 0}`,
        );
    },
  },
];
