import { expect } from "chai";
import { PlatformError } from "../../core/plugin-api/index.js";
import { SignatureRequest } from "../../core/storage/database/index.js";
import { fastSettings, useEsign } from "../support/esign.js";
import { eventually } from "../support/eventually.js";
import { anyDatabase } from "../support/store.js";

const noAnswer = () => new PlatformError("unavailable", "No answer came.");
const later = () => new PlatformError("rate_limited", "Later.");
const noFunction = () => new TypeError("undefined is no function");
const longAgo = { createdAt: new Date(Date.now() - 4 * 24 * 60 * 60_000) };

anyDatabase((_open, database) => {
  describe("a request to be signed", () => {
    const signatures = { ...fastSettings, pollMs: [60_000, 60_000] as const };
    const harness = useEsign({ config: { database, signatures } });
    const { memory, service } = harness;
    const update = (
      where: { id?: string; status?: "starting" },
      changes: { status?: "pending"; externalId?: string; createdAt?: Date },
    ) =>
      service.store.unitOfWork.run((tx) =>
        tx.update(SignatureRequest, where, changes),
      );
    /** The first starts fail before or after they have their effect; counts all. */
    const failStarts = (
      error: () => Error,
      { times = Infinity, hasEffect = false } = {},
    ) => {
      const starts = { count: 0 };
      memory[hasEffect ? "beforeReply" : "beforeCall"] = (call) => {
        if (call !== "start") return;
        starts.count += 1;
        if (starts.count <= times) throw error();
      };
      return starts;
    };
    const sendTillFailed = async () => {
      const id = await harness.send();
      await harness.waitUntil(id, ({ error }) => error !== null);
      return id;
    };

    it("is at the provider once although no start had a response, however late the provider lists it", async () => {
      const looks = new Map<string, number>();
      failStarts(noAnswer, { hasEffect: true });
      // As with providers whose lists lag behind.
      memory.isListed = ({ externalId }) => {
        const seen = looks.get(externalId) ?? 0;
        looks.set(externalId, seen + 1);
        return seen >= Number(externalId.slice(4)) % 3;
      };
      const ids = await harness.sendMany(25);
      for (const id of ids) await harness.waitForStatus(id, "pending");
      expect(ids.map((id) => memory.findSubmissions(id).length)).to.deep.equal(
        ids.map(() => 1),
      );
    });

    it("is sent again once the provider certainly does not have it", async () => {
      const starts = failStarts(noAnswer, { times: 1 });
      const id = await harness.send();
      await harness.waitForStatus(id, "pending");
      expect(starts.count).to.equal(2);
      expect(memory.findSubmissions(id)).to.have.length(1);
    });

    it("is looked up when a plugin error hid the response", async () => {
      failStarts(noFunction, { hasEffect: true });
      const id = await harness.send();
      await harness.waitForStatus(id, "pending");
      expect(memory.findSubmissions(id)).to.have.length(1);
    });

    it("is withdrawn where another process has sent it meanwhile", async () => {
      let overtaken = false;
      memory.delay = async (call) => {
        if (call !== "start" || overtaken) return;
        overtaken = true;
        const other = { status: "pending", externalId: "another" } as const;
        await update({ status: "starting" }, other);
      };
      const id = await harness.send();
      await eventually(
        () => memory.findSubmissions(id)[0]?.status === "canceled",
      );
      expect(await harness.get(id)).to.include({ externalId: "another" });
    });

    it("is sent again without a lookup when it was rejected for now", async () => {
      const before = memory.calls.length;
      failStarts(later, { times: 1 });
      const id = await harness.send();
      await harness.waitForStatus(id, "pending");
      expect(memory.findSubmissions(id)).to.have.length(1);
      expect(memory.calls.slice(before)).not.to.include("find");
    });

    it("fails with the provider's message when it was rejected for good", async () => {
      failStarts(
        () => new PlatformError("unsupported", "This needs the Pro edition."),
      );
      const id = await harness.send();
      const { error, completedAt } = await harness.waitForStatus(id, "failed");
      expect(error).to.equal("Memory: This needs the Pro edition.");
      expect(completedAt).not.to.equal(null);
    });

    it("fails with the last error when it could not be sent for days", async () => {
      failStarts(later);
      const id = await sendTillFailed();
      await update({ id }, longAgo);
      const { error } = await harness.waitForStatus(id, "failed");
      expect(error).to.equal("Memory: Later.");
    });

    it("fails after days of silence with a message that says it is unknown whether it arrived", async () => {
      memory.beforeCall = (call) => {
        throw new PlatformError("unavailable", `No answer to ${call}.`);
      };
      const id = await sendTillFailed();
      await update({ id }, longAgo);
      const { error } = await harness.waitForStatus(id, "failed");
      expect(error).to.include("unknown whether it arrived");
    });

    it("is not sent with a PDF that is too large", async () => {
      const order = await harness.settle();
      const other = await harness.newDocument();
      const large = Buffer.alloc(1_000_001);
      const failed = await harness.get(
        await harness.record(order, other, large),
      );
      expect(failed).to.include({ status: "failed" });
      expect(failed.error).to.include("1000001 bytes");
    });
  });
});
