import { expect } from "chai";
import { PlatformError } from "../../core/plugin-api/index.js";
import { AuditEvent } from "../../core/storage/database/index.js";
import { readError, newCaller } from "../support/caller.js";
import { readSignatures, readSignature, useEsign } from "../support/esign.js";
import { anyDatabase } from "../support/store.js";

anyDatabase((_open, database) => {
  describe("an action on a signature request", () => {
    const harness = useEsign({ config: { database } });
    const { memory } = harness;
    const act = (
      id: string,
      what: "cancel" | "resend",
      caller = harness.caller,
    ) => caller.post(`/api/signatures/${id}/${what}`, {});
    const pending = async () => {
      const id = await harness.send();
      await harness.waitForStatus(id, "pending");
      return id;
    };

    it("cancel withdraws it at the provider, once", async () => {
      const id = await pending();
      const canceled = await readSignature(await act(id, "cancel"));
      expect(canceled).to.include({ status: "canceled" });
      expect(memory.findSubmissions(id)[0]?.status).to.equal("canceled");
      const again = await readSignature(await act(id, "cancel"));
      expect(again).to.deep.equal(canceled);
      const noted = { subject: id, action: "signature.canceled" };
      const { keyId } = harness.caller;
      const { read } = harness.service.store;
      expect(await read.countBy(AuditEvent, { ...noted, keyId })).to.equal(1);
    });

    it("cancel is audited even when a poll of the provider ended the request first", async () => {
      const id = await pending();
      memory.delay = async (call) => {
        if (call === "cancel") await harness.waitForStatus(id, "canceled");
      };
      const canceled = await readSignature(await act(id, "cancel"));
      expect(canceled).to.include({ status: "canceled" });
      const { keyId } = harness.caller;
      const noted = { subject: id, action: "signature.canceled", keyId };
      const { read } = harness.service.store;
      expect(await read.countBy(AuditEvent, noted)).to.equal(1);
    });

    it("cancel keeps an unsent request from being sent", async () => {
      memory.beforeCall = (call) => {
        if (call === "start") throw new PlatformError("rate_limited", "Later.");
      };
      const id = await harness.send();
      await harness.waitUntil(id, ({ error }) => error !== null);
      await harness.cancelWhenPossible(id);
      memory.reset();
      expect(memory.findSubmissions(id)).to.deep.equal([]);
    });

    it("cancel is rejected while it is unknown whether the request was sent", async () => {
      memory.beforeReply = (call) => {
        if (call === "start") throw new PlatformError("unavailable", "Lost.");
      };
      memory.beforeCall = (call) => {
        if (call === "find") throw new PlatformError("unavailable", "Down.");
      };
      const id = await harness.send();
      await harness.waitUntil(id, ({ error }) => error !== null);
      const response = await act(id, "cancel");
      expect(response.status).to.equal(409);
      memory.reset();
      await harness.waitForStatus(id, "pending");
    });

    it("cancel is rejected for a signed request", async () => {
      const id = await pending();
      memory.end(id, "completed");
      await harness.waitForStatus(id, "completed");
      const response = await act(id, "cancel");
      expect(response.status).to.equal(409);
      expect(await readError(response)).to.include("completed");
    });

    it("cancel is rejected for a request that all have signed, even before its files are fetched", async () => {
      const id = await pending();
      memory.beforeCall = (call) => {
        if (call === "download")
          throw new PlatformError("unavailable", "Later");
      };
      memory.end(id, "completed");
      const response = await act(id, "cancel");
      expect(response.status).to.equal(409);
      expect(await readError(response)).to.include("completed");
      memory.reset();
      await harness.waitForStatus(id, "completed");
      expect(memory.findSubmissions(id)[0]?.status).to.equal("completed");
    });

    it("resend sends a reminder while the request is pending", async () => {
      const id = await pending();
      const reminded = await readSignature(await act(id, "resend"));
      expect(reminded.status).to.equal("pending");
      expect(memory.calls).to.include("resend");
      await act(id, "cancel");
      expect((await act(id, "resend")).status).to.equal(409);
    });

    it("is a 404 for another organization's request", async () => {
      const id = await pending();
      const stranger = await newCaller(harness.service);
      expect((await act(id, "cancel", stranger)).status).to.equal(404);
      const read = await stranger.get(`/api/signatures/${id}`);
      expect(read.status).to.equal(404);
      const list = await stranger.get("/api/signatures");
      expect(await list.json()).to.deep.include({ data: [] });
    });

    it("list returns the newest first, filtered by status and document", async () => {
      const id = await pending();
      const { documentId } = await harness.get(id);
      const list = async (query: string) =>
        readSignatures(await harness.caller.get(`/api/signatures?${query}`));
      const all = await list("pageSize=2");
      expect(all.data[0]?.id).to.equal(id);
      expect(all.pagination.total).to.be.above(2);
      expect((await list(`documentId=${documentId}`)).data).to.have.length(1);
      const ended = await list("status=canceled");
      expect(ended.data.every(({ status }) => status === "canceled")).to.equal(
        true,
      );
    });
  });
});
