import { createHmac } from "node:crypto";
import { expect } from "chai";
import { Plugins } from "../../../core/integrations/host/index.js";
import type {
  EsignProvider,
  PlatformPlugin,
} from "../../../core/plugin-api/index.js";
import {
  type ContractSuite,
  contractSuite,
  esignContractSuite,
} from "../../../plugins/contract-suite/index.js";
import { demoEsignPlugin } from "../../../plugins/demo-esign/plugin.js";
import { docusealPlugin } from "../../../plugins/docuseal/plugin.js";
import { pluginFolder, pluginProcesses } from "../../support/plugin-folder.js";
import { silentLog } from "../../support/recording-log.js";
import { airtableSubject } from "../airtable/airtable-setup.js";
import { startDocuseal } from "../docuseal/docuseal-setup.js";
import { createSubject as createDemoSubject } from "../demo-esign/demo-subject.js";
import { googleSubject } from "../google-sheets/google-setup.js";

// Plugins from outside of the package run in a process of their own: there, they pass the suite that they pass here.

/** The URL of a module of this repository, compiled or not, as this one is. */
function moduleUrl(path: string): string {
  return new URL(
    `../../../${path}${import.meta.url.slice(-3)}`,
    import.meta.url,
  ).href;
}

/** Loads a plugin whose main module is this code. */
async function loadHosted<K extends "platform" | "esign">(
  kind: K,
  id: string,
  code: string,
) {
  const plugins = new Plugins({
    shipped: [],
    places: {
      names: [],
      folder: pluginFolder({ name: id, platen: { kind }, code }),
      roots: [],
    },
    processes,
    platenVersion: "0.1.0",
    log: silentLog,
  });
  const found = await plugins.find(kind, id);
  if (!found?.loaded) throw new Error(found?.status.reason ?? "not found");
  return found.loaded.plugin;
}

const processes = pluginProcesses();

function runChecks(load: () => Promise<ContractSuite>, titles: ContractSuite) {
  let suite: Promise<ContractSuite> | undefined;
  after(async () => (await suite)?.close());
  for (const { title } of titles.checks)
    it(title, async () => {
      const { checks } = await (suite ??= load());
      await checks.find((one) => one.title === title)?.run();
    });
}

describe("a platform plugin in a process of its own", () => {
  const { plugin } = googleSubject;
  const load = async () => {
    const code = `import { googleSubject } from "${moduleUrl("test/plugins/google-sheets/google-setup")}";
      export const { plugin } = googleSubject;`;
    const hosted = await loadHosted("platform", "google-sheets", code);
    return contractSuite({
      start: () => googleSubject.start(),
      plugin: withRate(hosted, plugin),
    });
  };
  runChecks(load, contractSuite(googleSubject));
});

describe("webhooks of a platform plugin in a process of its own", () => {
  it("are created, kept, verified and deleted", async () => {
    const { plugin } = airtableSubject;
    const code = `export { airtablePlugin as plugin } from "${moduleUrl("plugins/airtable/plugin")}";`;
    const hosted = await loadHosted("platform", "airtable", code);
    const { changes: own } = plugin;
    const { changes } = hosted;
    if (!changes || !own) throw new Error("the plugin has no changes");
    const { checks, close } = contractSuite({
      start: () => airtableSubject.start(),
      // The suite checks signatures at once.
      plugin: {
        ...withRate(hosted, plugin),
        changes: {
          ...changes,
          verify: (notice, signedWith) =>
            own.verify?.(notice, signedWith) === true,
        },
      },
    });
    after(close);
    const body = Buffer.from("{}");
    const mac = createHmac("sha256", "key").update(body).digest("hex");
    const headers = { "x-airtable-content-mac": `hmac-sha256=${mac}` };
    const secret = Buffer.from("key").toString("base64");
    expect(await hosted.changes?.verify?.({ body, headers }, secret)).to.equal(
      true,
    );
    await checks.find(({ title }) => title.startsWith("changes leaves"))?.run();
  });
});

describe("an e-signature provider in a process of its own", () => {
  const subject = { plugin: docusealPlugin, start: startDocuseal };
  const load = async () => {
    const code = `export { docusealPlugin as plugin } from "${moduleUrl("plugins/docuseal/plugin")}";`;
    const hosted = await loadHosted("esign", "docuseal", code);
    return esignContractSuite({
      ...subject,
      plugin: withSynchronous(hosted, docusealPlugin),
    });
  };
  runChecks(load, esignContractSuite(subject));
});

describe("an e-signature provider with pages in a process of its own", () => {
  it("lets signers sign on its pages, and returns the signed PDF", async () => {
    const code = `export { demoEsignPlugin as plugin } from "${moduleUrl("plugins/demo-esign/plugin")}";`;
    const hosted = await loadHosted("esign", "demo-esign", code);
    const { checks, close } = esignContractSuite(
      createDemoSubject(withSynchronous(hosted, demoEsignPlugin)),
    );
    after(close);
    for (const title of [
      "a completed request is downloaded as a PDF",
      "a request ends when a signer declines",
    ]) {
      const check = checks.find((one) => one.title === title);
      await (check ?? expect.fail(title)).run();
    }
  });
});

/** The suite paces calls by itself. */
function withRate<C>(
  hosted: Omit<PlatformPlugin, "rate" | "toRootData" | "changes">,
  { rate }: PlatformPlugin<C>,
): PlatformPlugin<C> {
  return Object.assign({ rate }, hosted, { rate });
}

/** The suite paces calls by itself, and checks notices at once. */
function withSynchronous<C>(
  hosted: Omit<EsignProvider, "rate" | "parseNotice">,
  plugin: EsignProvider<C>,
): EsignProvider<C> {
  return {
    ...hosted,
    rate: plugin.rate,
    parseNotice: (...args) => plugin.parseNotice(...args),
  };
}
