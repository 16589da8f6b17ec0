import { deepEqual, equal, ok } from "node:assert/strict";
import type { PlatformErrorCode } from "../../../../core/plugin-api/index.js";
import { refuses } from "../../check.js";
import { type Fault, faults } from "../../fault.js";
import type { EsignCheck } from "../esign-check.js";
import { sampleRequest } from "../sample-request.js";

const expected: Readonly<
  Record<string, readonly [Fault, ...PlatformErrorCode[]]>
> = {
  "a 401": [faults.unauthorized, "auth"],
  "a 403": [faults.forbidden, "forbidden", "auth"],
  "a 404": [faults.notFound, "not_found"],
  "a 503": [faults.unavailable, "unavailable"],
  "a 429 that stays": [faults.tooMany, "rate_limited"],
  "HTML with 200": [faults.html, "unavailable"],
  "a connection that breaks": [faults.reset, "unavailable"],
};

const answers = Object.entries(expected).map(
  ([name, [fault, ...codes]]): EsignCheck => ({
    title: `${name} at a look is ${codes[0]}`,
    run: async (session) => {
      if (!session.doors.seeRequests) return;
      const { externalId } = await session.start(sampleRequest());
      await session.doors.under(fault, () =>
        refuses(session, codes, "status", () => session.status(externalId)),
      );
    },
  }),
);

export const esignFaultChecks: readonly EsignCheck[] = [
  ...answers,
  {
    title: "a 429 that passes is waited for",
    run: async (session) => {
      if (!session.doors.seeRequests) return;
      const { externalId } = await session.start(sampleRequest());
      const clean = await session.status(externalId);
      const again = await session.doors.under(
        faults.tooMany,
        () => session.status(externalId),
        { to: 1 },
      );
      deepEqual(again, clean);
    },
  },
  {
    title: "wrong credentials are auth, also to the test of the connection",
    run: async (session) => {
      const wrong = session.server.wrongCredentials?.(session.doors.urls);
      if (wrong === undefined) return;
      await refuses(session, ["auth", "forbidden"], "check", () =>
        session.call(
          (context) => session.plugin.check(context),
          undefined,
          wrong,
        ),
      );
    },
  },
  {
    title: "every request waits for its turn",
    run: async (session) => {
      if (!session.doors.seeRequests) return;
      const before = session.turns;
      const requests = await session.doors.count(async () => {
        await session.call((context) => session.plugin.check(context));
        const { externalId } = await session.start(sampleRequest());
        await session.status(externalId);
      });
      equal(
        requests,
        session.turns - before,
        "the server saw more or fewer requests than context.http, context.json and context.turn let go",
      );
    },
  },
  {
    title: "a call without an answer ends when its signal says so",
    run: async (session) => {
      const { doors } = session;
      if (doors.all.length === 0) return;
      const { externalId } = await session.start(sampleRequest());
      const stop = new AbortController();
      await doors.under(faults.stall, async () => {
        const ended = session.status(externalId, stop.signal).then(
          () => "answered",
          (error: unknown) => String(error),
        );
        await Promise.race(doors.all.map((door) => door.met()));
        stop.abort();
        const end = await ended;
        ok(!/answered|went on/.test(end), end);
      });
      await session.status(externalId);
    },
  },
];
