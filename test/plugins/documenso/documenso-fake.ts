import { after, before } from "mocha";
import type { OpenEsign } from "../../../core/integrations/host/index.js";
import { documensoPlugin } from "../../../plugins/documenso/plugin.js";
import { FakeDocumenso } from "../../support/fakes/documenso/fake-documenso.js";
import { connectedEsign } from "../../support/esign.js";

/** A Documenso for the suite that calls this, and the plugin connected to it. */
export function useDocumenso(): { fake: FakeDocumenso; provider: OpenEsign } {
  const held: { fake?: FakeDocumenso; provider?: OpenEsign } = {};
  before(async () => {
    held.fake = await FakeDocumenso.start();
    held.provider = connectedEsign(documensoPlugin, held.fake.credentials);
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
