import { expect } from "chai";
import { afterEach, describe, it } from "mocha";
import { operator } from "../../core/accounts/index.js";
import {
  TestBatch,
  useWebhooks,
  useReceiver,
  verified,
} from "../support/webhooks.js";
import { anyDatabase } from "../support/store.js";

anyDatabase((open) => {
  describe("while a secret rotates", () => {
    const harness = useWebhooks(open);
    const receiver = useReceiver();
    afterEach(() => receiver.forget());

    const rotated = async (revokeNow: boolean) => {
      const organizationId = await harness.newOrganization();
      const input = { url: receiver.url };
      const made = await harness.endpoint(organizationId, input);
      const { secret } = await harness.events.endpoints.rotateSecret(
        organizationId,
        made.id,
        { revokeNow },
        operator,
      );
      await harness.record(new TestBatch(organizationId).succeeded());
      await harness.waitUntilSettled(made);
      const [arrived] = receiver.received;
      if (!arrived) throw new Error("nothing arrived");
      return { old: made.secret, secret, arrived };
    };

    it("a delivery is signed with both secrets, so that either verifies it", async () => {
      const { old, secret, arrived } = await rotated(false);
      verified(secret, arrived);
      verified(old, arrived);
      expect(arrived.headers["webhook-signature"]).to.match(/^v1,\S+ v1,\S+$/);
    });

    it("a secret that is revoked at once no longer signs", async () => {
      const { old, secret, arrived } = await rotated(true);
      verified(secret, arrived);
      expect(() => verified(old, arrived)).to.throw("No matching signature");
    });
  });
});
