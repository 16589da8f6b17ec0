import type { StartedRequest } from "../../plugin-api/index.js";
import type { OpenEsign } from "../../integrations/host/index.js";
import type { JobOutcome } from "../../queue/index.js";
import { SignatureRequest } from "../../storage/database/index.js";
import { changeRequest } from "../change-request.js";
import { letSourceGo } from "../kept-files.js";
import { mergeSigners } from "../merge-signers.js";
import type { EsignParts } from "../ports.js";
import { pollWait } from "../watch/poll-wait.js";

/** The provider has the request: from now on it is watched, and what was only there to be sent is forgotten. */
export async function beginRequest(
  parts: EsignParts,
  row: SignatureRequest,
  provider: OpenEsign,
  started: StartedRequest,
): Promise<JobOutcome> {
  const { store, times, now } = parts;
  const at = now();
  const wait = pollWait(0, times.pollMs);
  const isOurs = await store.unitOfWork.run(async (tx) => {
    const { id } = row;
    const changes = {
      ...begun(row, started),
      startedAt: at,
      updatedAt: at,
      nextLookAt: new Date(at.getTime() + wait),
    };
    if (!(await changeRequest(tx, { id, status: "starting" }, changes)))
      return false;
    await letSourceGo(tx, row);
    return true;
  });
  if (isOurs) return { again: wait };
  await withdrawSecond(parts, row, provider, started);
}

function begun(
  row: SignatureRequest,
  { externalId, signers, warnings = [] }: StartedRequest,
) {
  const unfilled = row.submitters.map((one) => ({ ...one, values: {} }));
  return {
    status: "pending" as const,
    externalId,
    submitters: mergeSigners(unfilled, signers),
    warnings: [...row.warnings, ...warnings],
    boxes: [],
    source: null,
    sentAt: null,
    lookups: 0,
    error: null,
  };
}

/** Another process has begun it while this one was away: what this one has started nobody would watch. */
async function withdrawSecond(
  { store, log }: EsignParts,
  { id }: SignatureRequest,
  provider: OpenEsign,
  { externalId }: StartedRequest,
): Promise<void> {
  const row = await store.read.findOneBy(SignatureRequest, { id });
  if (row?.externalId === externalId) return;
  log.warn({ signatureId: id, externalId }, "a second signature is withdrawn");
  await provider.cancel(externalId).catch((error: unknown) => {
    log.error({ signatureId: id, externalId, err: error }, "not withdrawn");
  });
}
