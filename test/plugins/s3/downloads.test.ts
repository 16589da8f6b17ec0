import { expect } from "chai";
import { before, describe, it } from "mocha";
import type { Output } from "../../../core/plugin-api/index.js";
import { newCaller } from "../../support/caller.js";
import { makeBucket, s3Address } from "../../support/each-file-store.js";
import { exported, useService } from "../../support/service.js";
import { publish } from "../../support/store.js";

const address = s3Address();

// Needs PLATEN_TEST_S3_URL: scripts/s3.sh starts a server.
if (address)
  describe("documents in a bucket", () => {
    before(() => makeBucket(address));
    const service = useService({ config: { fileStore: address } });
    let outputs: Output[];
    const ask = (label: string, init: RequestInit = {}) => {
      const { url } = outputs.find((one) => one.label === label) ?? { url: "" };
      return fetch(url, { redirect: "manual", ...init });
    };

    before(async () => {
      const caller = await newCaller(service);
      const templateId = await publish(service.store, caller, { name: "Zoë" });
      const { document } = await exported(caller, {
        templateId,
        formats: ["pdf", "html"],
      });
      outputs = document.outputs;
    });

    it("are fetched from the bucket by a short-lived link", async () => {
      const reply = await ask("pdf");
      expect(reply.status).to.equal(302);
      expect(reply.headers.get("cache-control")).to.equal("private, no-store");
      const target = new URL(reply.headers.get("location") ?? "");
      expect(target.origin).to.equal(address.searchParams.get("endpoint"));
      const file = await fetch(target);
      const bytes = Buffer.from(await file.arrayBuffer());
      expect(bytes.subarray(0, 5).toString()).to.equal("%PDF-");
      expect(file.headers.get("content-type")).to.equal("application/pdf");
      expect(file.headers.get("content-disposition")).to.contain(
        "UTF-8''Zo%C3%AB.pdf",
      );
    });

    it("are not fetched from it without the link's signature", async () => {
      const reply = await ask("pdf");
      const target = new URL(reply.headers.get("location") ?? "");
      target.search = "";
      expect((await fetch(target)).ok).to.equal(false);
    });

    it("return their size without a redirect", async () => {
      const reply = await ask("pdf", { method: "HEAD" });
      expect(reply.status).to.equal(200);
      expect(Number(reply.headers.get("content-length"))).to.be.above(1000);
    });

    it("remain sandboxed when they are html", async () => {
      const reply = await ask("html");
      expect(reply.status).to.equal(200);
      expect(reply.headers.get("content-security-policy")).to.match(
        /^sandbox;/,
      );
      expect(await reply.text()).to.match(/^<!doctype html>/i);
    });
  });
