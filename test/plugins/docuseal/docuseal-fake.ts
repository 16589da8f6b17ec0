import { after, before } from "mocha";
import type { OpenEsign } from "../../../core/integrations/host/index.js";
import { docusealPlugin } from "../../../plugins/docuseal/plugin.js";
import { FakeDocuseal } from "../../support/fakes/docuseal/fake-docuseal.js";
import { connectedEsign } from "../../support/esign.js";

/** A DocuSeal for the suite that calls this, and the plugin connected to it. */
export function useDocuseal(): { fake: FakeDocuseal; provider: OpenEsign } {
  const held: { fake?: FakeDocuseal; provider?: OpenEsign } = {};
  before(async () => {
    held.fake = await FakeDocuseal.start();
    held.provider = connectedEsign(docusealPlugin, held.fake.credentials);
  });
  after(() => held.fake?.close());
  return {
    get fake() {
      if (held.fake) return held.fake;
      throw new Error("the fake has not been started");
    },
    get provider() {
      if (held.provider) return held.provider;
      throw new Error("the fake has not been started");
    },
  };
}
