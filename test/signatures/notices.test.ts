import { expect } from "chai";
import { newCaller } from "../support/caller.js";
import { eventually } from "../support/eventually.js";
import { fastSettings, useEsign } from "../support/esign.js";
import { anyDatabase } from "../support/store.js";

anyDatabase((_open, database) => {
  describe("a provider's webhook", () => {
    const signatures = {
      ...fastSettings,
      pollMs: [3_600_000, 3_600_000] as const,
    };
    const harness = useEsign({ config: { database, signatures } });
    const { memory } = harness;
    const looks = () => memory.calls.filter((call) => call === "status").length;
    /** A request that was looked at long enough ago. */
    const pending = async () => {
      const id = await harness.send();
      const { externalId } = await harness.waitForStatus(id, "pending");
      await harness.idle();
      await harness.ageBy(id, 60_000);
      return { id, externalId };
    };

    it("has the request polled", async () => {
      const { id, externalId } = await pending();
      memory.end(id, "completed");
      const response = await harness.notice({ externalId, event: "form.done" });
      expect(response.status).to.equal(202);
      await harness.waitForStatus(id, "completed");
    });

    it("is only a hint: the state is read from the provider", async () => {
      const { id, externalId } = await pending();
      const before = looks();
      await harness.notice({ externalId, status: "completed" });
      await eventually(() => looks() > before);
      expect(await harness.get(id)).to.include({ status: "pending" });
    });

    it("that is forged is rejected and changes nothing", async () => {
      const { externalId } = await pending();
      const before = looks();
      const response = await harness.notice({ externalId }, "wrong");
      expect(response.status).to.equal(401);
      expect(await harness.readyJobs()).to.equal(0);
      expect(looks()).to.equal(before);
    });

    it("that is repeated is handled once", async () => {
      const { id, externalId } = await pending();
      const body = { externalId, at: "10:00" };
      const before = looks();
      await harness.notice(body);
      await eventually(() => looks() === before + 1);
      await harness.idle();
      await harness.ageBy(id, 60_000);
      expect((await harness.notice(body)).status).to.equal(202);
      expect(await harness.readyJobs()).to.equal(0);
      expect(looks()).to.equal(before + 1);
    });

    it("for another connection's request changes nothing", async () => {
      const { externalId } = await pending();
      const stranger = await newCaller(harness.service);
      const other = await harness.connect(stranger);
      const before = looks();
      const response = await harness.notice({ externalId }, "right", other);
      expect(response.status).to.equal(202);
      expect(await harness.readyJobs()).to.equal(0);
      expect(looks()).to.equal(before);
    });

    it("for an unknown connection is answered with 404", async () => {
      const nowhere = await harness.notice({}, "right", "nothing");
      expect(nowhere.status).to.equal(404);
    });
  });
});
