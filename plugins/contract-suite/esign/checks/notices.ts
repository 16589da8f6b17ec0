import { equal } from "node:assert/strict";
import type { RawNotice } from "../../../../core/plugin-api/index.js";
import type { EsignCheck } from "../esign-check.js";
import type { EsignSession } from "../esign-session.js";
import { sampleRequest } from "../sample-request.js";

const minuteMs = 60_000;

/** A true notice about a request that is there. */
async function trueNotice<C>(session: EsignSession<C>) {
  const { externalId } = await session.start(sampleRequest());
  const raw = session.server.notice?.(externalId);
  if (!raw) throw new Error("the subject needs `notice` for this provider");
  return { externalId, raw };
}

function parse<C>(
  { plugin, credentials }: EsignSession<C>,
  raw: RawNotice,
): string | null {
  return plugin.parseNotice(credentials, raw)?.externalId ?? null;
}

const proves: Pick<EsignCheck, "appliesTo"> = {
  appliesTo: ({ capabilities }) => capabilities.noticeProof !== "none",
};
const signs: Pick<EsignCheck, "appliesTo"> = {
  appliesTo: ({ capabilities }) => capabilities.noticeProof === "hmac",
};

export const noticeChecks: readonly EsignCheck[] = [
  {
    title: "a true notice names its request",
    ...proves,
    run: async (session) => {
      const { externalId, raw } = await trueNotice(session);
      equal(parse(session, raw), externalId);
    },
  },
  {
    title: "a notice without its proof, or with another, is refused",
    ...proves,
    run: async (session) => {
      const { raw } = await trueNotice(session);
      equal(parse(session, { ...raw, headers: {} }), null);
      for (const name of Object.keys(raw.headers)) {
        if (name === "content-type") continue;
        const headers = { ...raw.headers, [name]: `${raw.headers[name]}x` };
        equal(parse(session, { ...raw, headers }), null, name);
      }
    },
  },
  {
    title: "a notice that says nothing of a request is refused",
    ...proves,
    run: async (session) => {
      const { raw } = await trueNotice(session);
      for (const text of ["", "null", "[]", "{", '{"data":{}}']) {
        const body = new TextEncoder().encode(text);
        equal(parse(session, { ...raw, body }), null, text);
      }
    },
  },
  {
    title: "a signed notice with one byte changed is refused",
    ...signs,
    run: async (session) => {
      const { raw } = await trueNotice(session);
      const body = Uint8Array.from(raw.body);
      body[body.length - 1] = 0x20;
      equal(parse(session, { ...raw, body }), null);
    },
  },
  {
    title: "a signed notice that comes an hour late is refused",
    ...signs,
    run: async (session) => {
      const { raw } = await trueNotice(session);
      const at = raw.receivedAt.getTime();
      const receivedAt = new Date(at + 60 * minuteMs);
      equal(parse(session, { ...raw, receivedAt }), null);
    },
  },
];
