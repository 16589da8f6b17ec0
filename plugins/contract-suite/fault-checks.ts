import { deepEqual, equal, ok } from "node:assert/strict";
import { faults } from "./fault-proxy.js";
import {
  type PlatformCheck,
  type PlatformSession,
  createFile,
} from "./platform-session.js";
import {
  assertAllRequestsLimited,
  assertRejects,
  assertStopsOnSignal,
  faultCodes,
} from "./suite-context.js";
import { canReadBack } from "./writing-checks.js";

/** A longer call repeats itself, so a fault at one of its first requests is enough. */
const maxRequests = 6;

/** How the plugin behaves when requests fail, and that it keeps its rate. */
export const faultChecks: readonly PlatformCheck[] = [
  {
    title: "every request is rate-limited",
    run: async (session) => {
      const { host, fixture, proxies } = session;
      if (!proxies.seeRequests) return;
      await assertAllRequestsLimited(session, async () => {
        await host.check();
        await host.describe(fixture.scope.baseId);
        await host.fetchRows(fixture.scope, fixture.recordIds);
      });
    },
  },
  {
    title: "parallel calls respect maxInFlight",
    run: async ({ host, plugin, proxies, fixture }) => {
      const { scope, recordIds } = fixture;
      const { maxInFlight } = plugin.rate;
      const concurrent = await proxies.countConcurrent(() =>
        Promise.all(
          Array.from({ length: 2 * maxInFlight }, () =>
            host.fetchRows(scope, recordIds.slice(0, 1)),
          ),
        ),
      );
      ok(
        concurrent <= maxInFlight,
        `The server received ${concurrent} requests at the same time, but rate.maxInFlight is ${maxInFlight}. ` +
          "Send every request through context.http, context.json or context.turn.",
      );
    },
  },
  ...Object.entries(faultCodes).map(
    ([name, [fault, ...codes]]): PlatformCheck => ({
      title: `${name} at any request of a read is ${codes[0]}`,
      run: async (session) => {
        if (!session.proxies.seeRequests) return;
        const read = () => readRows(session);
        for (const from of await listRequests(session, read))
          await session.proxies.withFault(
            fault,
            () =>
              assertRejects(
                session,
                codes,
                `fetchRows with ${name} from request ${from} on`,
                read,
              ),
            { from },
          );
      },
    }),
  ),
  {
    title: "a single 429 is retried",
    run: async (session) => {
      if (!session.proxies.seeRequests) return;
      const read = () => readRows(session);
      const expected = await read();
      for (const at of await listRequests(session, read))
        deepEqual(
          await session.proxies.withFault(faults.tooManyRequests, read, {
            from: at,
            to: at,
          }),
          expected,
          `fetchRows with a 429 at request ${at} must return the same rows as without it`,
        );
    },
  },
  {
    title: "a broken connection is unavailable",
    run: async (session) => {
      const { proxies } = session;
      if (!proxies.exist) return;
      await proxies.withFault(faults.reset, () =>
        assertRejects(
          session,
          ["unavailable"],
          "fetchRows over a broken connection",
          () => readRows(session),
        ),
      );
    },
  },
  {
    title: "a call without an answer ends when its signal is aborted",
    run: async (session) => {
      if (!session.proxies.exist) return;
      await assertStopsOnSignal(session, (signal) => readRows(session, signal));
      await readRows(session);
    },
  },
  {
    title: "a write that fails at any request keeps the files of the cell",
    appliesTo: canReadBack,
    run: async (session) => {
      const { host, proxies } = session;
      if (!proxies.seeRequests) return;
      const cell = await session.createEmptyCell();
      const write = () => host.write(cell, [createFile("more.txt")], "append");
      for (const from of await listRequests(session, write)) {
        const what = `writeBack with a fault from request ${from} on`;
        for (const fault of [faults.unavailable, faults.html])
          await proxies.withFault(
            fault,
            () => assertRejects(session, ["unavailable"], what, write),
            { from },
          );
        equal(
          (await host.read(cell)).length,
          1,
          `${what} must leave the one file that the cell contained`,
        );
      }
    },
  },
  {
    title: "a write that is repeated after a lost reply adds one file",
    appliesTo: canReadBack,
    run: async (session) => {
      const { host, proxies } = session;
      if (!proxies.seeRequests) return;
      const first = await session.createEmptyCell();
      const file = createFile("once.txt");
      const requests = await listRequests(session, () =>
        host.write(first, [file], "append"),
      );
      // One more, because the retry reads the cell before it writes.
      for (const at of [...requests, requests.length + 1]) {
        const cell = await session.createEmptyCell();
        const write = () => host.writeWithRetry(cell, file);
        await proxies
          .withFault(faults.lostReply, write, { from: at, to: at })
          .catch(write);
        equal(
          (await host.read(cell)).length,
          1,
          `after a lost reply to request ${at} and a retry, the cell must contain the file once`,
        );
      }
    },
  },
];

function readRows<C>(
  { host, fixture }: PlatformSession<C>,
  signal?: AbortSignal,
): Promise<unknown> {
  return host.fetchRows(fixture.scope, fixture.recordIds, undefined, signal);
}

/** The numbers of a call's requests, from 1. */
async function listRequests<C>(
  { proxies }: PlatformSession<C>,
  work: () => Promise<unknown>,
): Promise<number[]> {
  const length = Math.min(await proxies.countRequests(work), maxRequests);
  return Array.from({ length }, (_, index) => index + 1);
}
