import { equal, ok } from "node:assert/strict";
import type { SessionCheck } from "../check.js";

export const pacingChecks: readonly SessionCheck[] = [
  {
    title: "every request waits for its turn",
    run: async (session) => {
      if (!session.seesRequests) return;
      const { host, fixture } = session;
      const before = host.turns;
      const requests = await session.countRequests(async () => {
        await host.check();
        await host.describe(fixture.scope.baseId);
        await host.fetchRows(fixture.scope, fixture.recordIds);
      });
      equal(
        requests,
        host.turns - before,
        "the server saw more or fewer requests than context.http, context.json and context.turn let go",
      );
    },
  },
  {
    title: "parallel calls keep to maxInFlight",
    run: async ({ host, plugin, doors: all, fixture }) => {
      // A connection of another protocol ends some time after its call.
      const doors = all.filter(({ seesRequests }) => seesRequests);
      for (const door of doors) door.watch(null);
      const { scope, recordIds } = fixture;
      const ids = recordIds.slice(0, 1);
      const calls = Array.from({ length: 2 * plugin.rate.maxInFlight }, () =>
        host.fetchRows(scope, ids),
      );
      await Promise.all(calls);
      const most = Math.max(0, ...doors.map(({ mostAtOnce }) => mostAtOnce));
      ok(most <= plugin.rate.maxInFlight, `${most} at once`);
    },
  },
];
