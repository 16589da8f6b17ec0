import { deepEqual, equal, ok } from "node:assert/strict";
import type { PlatformErrorCode } from "../../../core/plugin-api/index.js";
import { readsBack, refuses, type SessionCheck } from "../check.js";
import { type Fault, faults } from "../fault.js";
import { fileNamed } from "../file.js";
import type { Session } from "../session.js";

/** Requests of one call that meet a fault, one after the other; a longer call repeats itself. */
const maxPlaces = 6;

type Expected = readonly [Fault, ...PlatformErrorCode[]];

const expected: Readonly<Record<string, Expected>> = {
  "a 401": [faults.unauthorized, "auth"],
  "a 403": [faults.forbidden, "forbidden", "auth"],
  "a 404": [faults.notFound, "not_found"],
  "a 503": [faults.unavailable, "unavailable"],
  "a 429 that stays": [faults.tooMany, "rate_limited"],
  "HTML with 200": [faults.html, "unavailable"],
};

function reads<C>({ host, fixture }: Session<C>): () => Promise<unknown> {
  const { scope, recordIds } = fixture;
  return () => host.fetchRows(scope, recordIds);
}

/** The places at which a fault can meet a call, from 1. */
async function placesOf<C>(
  session: Session<C>,
  work: () => Promise<unknown>,
): Promise<number[]> {
  const count = await session.countRequests(work);
  return Array.from({ length: Math.min(count, maxPlaces) }, (_, at) => at + 1);
}

const answers: SessionCheck[] = Object.entries(expected).map(
  ([name, [fault, ...codes]]) => ({
    title: `${name} at any request of a read is ${codes[0]}`,
    run: async (session) => {
      if (!session.seesRequests) return;
      const work = reads(session);
      for (const from of await placesOf(session, work))
        await session.under(
          fault,
          () => refuses(session, codes, `request ${from}`, work),
          { from },
        );
    },
  }),
);

export const faultChecks: readonly SessionCheck[] = [
  ...answers,
  {
    title: "a 429 that passes is waited for",
    run: async (session) => {
      if (!session.seesRequests) return;
      const work = reads(session);
      const clean = await work();
      for (const from of await placesOf(session, work))
        deepEqual(
          await session.under(faults.tooMany, work, { from, to: from }),
          clean,
        );
    },
  },
  {
    title: "a connection that breaks is unavailable",
    run: async (session) => {
      if (session.doors.length === 0) return;
      await session.under(faults.reset, () =>
        refuses(session, ["unavailable"], "fetchRows", reads(session)),
      );
    },
  },
  {
    title: "a call without an answer ends when its signal says so",
    run: async (session) => {
      if (session.doors.length === 0) return;
      const { scope, recordIds } = session.fixture;
      const stop = new AbortController();
      await session.under(faults.stall, async () => {
        const ended = session.host
          .fetchRows(scope, recordIds, undefined, stop.signal)
          .then(
            () => "answered",
            (error: unknown) => String(error),
          );
        await Promise.race(session.doors.map((door) => door.met()));
        stop.abort();
        const end = await ended;
        ok(!/answered|went on/.test(end), end);
      });
      await reads(session)();
    },
  },
  {
    title: "a write that fails at any request leaves what the cell holds",
    appliesTo: readsBack,
    run: async (session) => {
      if (!session.seesRequests) return;
      const { host } = session;
      const cell = await session.emptyCell();
      const write = () => host.write(cell, [fileNamed("more.txt")], "append");
      const places = await placesOf(session, write);
      for (const from of places) {
        const codes = ["unavailable"] as const;
        for (const fault of [faults.unavailable, faults.html])
          await session.under(
            fault,
            () => refuses(session, codes, `request ${from}`, write),
            { from },
          );
        equal((await host.read(cell)).length, 1, `after request ${from}`);
      }
    },
  },
  {
    title: "a write whose answer is lost and that is repeated adds one file",
    appliesTo: readsBack,
    run: async (session) => {
      if (!session.seesRequests) return;
      const { host } = session;
      const first = await session.emptyCell();
      const file = fileNamed("once.txt");
      const places = await placesOf(session, () =>
        host.write(first, [file], "append"),
      );
      // The first request of `writeSurely` may be the look into the cell.
      for (const from of [...places, places.length + 1]) {
        const cell = await session.emptyCell();
        await session
          .under(faults.lostReply, () => host.writeSurely(cell, file), {
            from,
            to: from,
          })
          .catch(() => host.writeSurely(cell, file));
        equal((await host.read(cell)).length, 1, `after request ${from}`);
      }
    },
  },
];
