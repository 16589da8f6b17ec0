import { expect } from "chai";
import { describe, it } from "mocha";
import {
  type EsignProvider,
  PlatformError,
} from "../../../core/plugin-api/index.js";
import { isAmbiguous, Plugins } from "../../../core/integrations/host/index.js";
import { demoEsignPlugin } from "../../../plugins/demo-esign/plugin.js";
import { pluginFolder, pluginProcesses } from "../../support/plugin-folder.js";
import { signRequest } from "../../support/signing-documents.js";
import { silentLog } from "../../support/recording-log.js";
import { connectedEsign } from "../../support/esign.js";

const started = { externalId: "e1", signers: [] };
const calling = (changes: Partial<EsignProvider>) =>
  connectedEsign<unknown>({ ...demoEsignPlugin, ...changes }, {});
const failed = (error: unknown) => error;

describe("a call of an e-signature provider", () => {
  it("calls start only once, even if it fails", async () => {
    let starts = 0;
    const start = () => {
      starts += 1;
      return Promise.reject(new PlatformError("unavailable", "no answer."));
    };
    const error: unknown = await calling({ start })
      .start(await signRequest())
      .catch(failed);
    expect(starts).to.equal(1);
    expect(isAmbiguous(error)).to.equal(true);
  });

  for (const [description, start, wanted] of [
    ["a refusal", new PlatformError("invalid_field", "no."), false],
    ["too many requests", new PlatformError("rate_limited", "wait."), false],
    ["a bug in the plugin", new TypeError("x is undefined"), true],
  ] as const)
    it(`${wanted ? "may" : "cannot"} have created a request after ${description}`, async () => {
      const error: unknown = await calling({
        start: () => Promise.reject(start),
      })
        .start(await signRequest())
        .catch(failed);
      expect(isAmbiguous(error)).to.equal(wanted);
    });

  it("is ambiguous after start returned an invalid result", async () => {
    const wrong = { externalId: "", signers: [] };
    const error: unknown = await calling({
      start: () => Promise.resolve(wrong),
    })
      .start(await signRequest())
      .catch(failed);
    expect(String(error)).to.equal(
      "PlatenError: The plugin demo-esign failed in start: it returned an invalid result at $.externalId: Too small: expected string to have >=1 characters. This is a bug in the plugin: update it or report it to its author.",
    );
    expect(isAmbiguous(error)).to.equal(true);
  });

  it("is repeated while the provider is down if it only reads", async () => {
    let looks = 0;
    const find = () => {
      looks += 1;
      return looks < 3
        ? Promise.reject(new PlatformError("unavailable", "down."))
        : Promise.resolve(started);
    };
    expect((await calling({ find }).find("r1"))?.externalId).to.equal("e1");
  });

  it("rejects a PDF that is too large before sending it", async () => {
    const capabilities = { ...demoEsignPlugin.capabilities, maxFileBytes: 10 };
    const error: unknown = await calling({ capabilities })
      .start(await signRequest())
      .catch(failed);
    expect(error).to.include({ code: "too_large" });
    expect(isAmbiguous(error)).to.equal(false);
  });

  it("sends what the provider supports and warns about the rest", async () => {
    const seen: unknown[] = [];
    const provider = calling({
      capabilities: {
        ...demoEsignPlugin.capabilities,
        order: false,
        expiry: "none",
        message: false,
        redirect: false,
      },
      start: (_context, request) => {
        seen.push(request);
        return Promise.resolve(started);
      },
    });
    const { warnings } = await provider.start(
      await signRequest({
        expiresAt: new Date(),
        message: { body: "Hi" },
        redirectUrl: "https://example.com/",
      }),
    );
    expect(warnings).to.have.length(4);
    expect(seen[0]).not.to.have.any.keys("expiresAt", "message", "redirectUrl");
    expect(seen[0]).to.have.nested.property("submitters[1].order", 0);
  });

  it("returns an error for what the provider cannot do", async () => {
    const error: unknown = await calling({}).resend("e1").catch(failed);
    expect(error).to.include({ code: "invalid_request" });
  });

  it("ignores a notice for which the plugin throws", async () => {
    const provider = calling({
      parseNotice: () => {
        throw new TypeError("x is undefined");
      },
    });
    const raw = { body: new Uint8Array(), headers: {}, receivedAt: new Date() };
    expect(await provider.parseNotice(raw)).to.equal(null);
  });
});

describe("an installed provider", () => {
  const code = `export const plugin = { meta: { kind: "esign", id: "signer", title: "S", version: "1", api: 1 },
    credentials: { schema: {} }, rate: { key: () => "", maxInFlight: 1 }, check() {}, start() {}, status() {},
    download() {}, parseNotice() {}, capabilities: { order: true, values: true, expiry: "instant", message: true,
    cancel: false, resend: false, noticeProof: "none", fields: ["signature"], maxFileBytes: 1 }, FIND };`;
  const processes = pluginProcesses();
  const installed = (find: string) =>
    new Plugins({
      processes,
      shipped: [],
      places: {
        names: [],
        folder: pluginFolder({
          name: "signer",
          platen: { kind: "esign" },
          code: code.replace("FIND", find),
        }),
        roots: [],
      },
      platenVersion: "1.0.0",
      log: silentLog,
    });

  it("is validated by the contract of its kind", async () => {
    const [whole] = await installed("find() {}").list();
    expect(whole).to.include({ kind: "esign", state: "ready" });
    const [part] = await installed("").list();
    expect(part?.state).to.equal("broken");
    expect(part?.reason).to.equal(
      "It failed to load: plugin.find: must be a function. Install another version of it, or tell its author; then restart Platen.",
    );
  });
});
