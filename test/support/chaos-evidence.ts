import { after } from "mocha";
import type { Evidence } from "../../scripts/chaos/check/evidence.js";
import {
  ENDPOINTS,
  MoodyReceiver,
} from "../../scripts/chaos/moody-receiver.js";
import { untilQuiet } from "../../scripts/chaos/quiet.js";
import { parseConfig } from "../../config/index.js";
import { newBatchCaller, records, sendBatch } from "./batches.js";
import { useService } from "./service.js";
import { publish } from "./store-templates.js";

const patienceMs = 30_000;
const { outbound } = parseConfig({
  PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.2/32",
});

/** A small batch that goes well, with its webhooks, and what it leaves in the folder of its service. */
export function chaosEvidence() {
  const receiver = new MoodyReceiver(1);
  after(() => receiver.close());
  const service = useService({ config: { outbound } });
  const facts: Pick<Evidence, "accepted" | "arrivals" | "endpoints"> = {
    accepted: [],
    arrivals: receiver.arrivals,
    endpoints: { steady: "", moody: "", leaving: "" },
  };
  return {
    folder: service.dataFolder,
    facts,
    /** Resolves when all is done and the service has ended. */
    async finish(): Promise<void> {
      await receiver.listen();
      receiver.calmDown();
      const caller = await newBatchCaller(service);
      const ids = new Map<string, string>();
      for (const name of ENDPOINTS) {
        const url = receiver.urlOf(name);
        const response = await caller.post("/api/webhooks", { url });
        const { id }: { id: string } = JSON.parse(await response.text());
        ids.set(name, id);
      }
      const idOf = (name: string) => ids.get(name) ?? "";
      const [steady, moody, leaving] = ENDPOINTS.map(idOf);
      Object.assign(facts.endpoints, { steady, moody, leaving });
      const templateId = await publish(service.store, caller);
      const body = { templateId, formats: ["html"], items: records(3) };
      facts.accepted = [await sendBatch(caller, body)];
      const left = await untilQuiet(service.store, patienceMs);
      if (left !== null) throw new Error(`not done in time: ${left}`);
      await service.stop();
    },
  };
}
