import { expect } from "chai";
import {
  type EsignProvider,
  PlatformError,
  type PlatformPlugin,
  type RowPage,
} from "../../../core/plugin-api/index.js";
import {
  type ContractSuite,
  contractSuite,
  esignContractSuite,
} from "../../../plugins/contract-suite/index.js";
import { docusealPlugin } from "../../../plugins/docuseal/plugin.js";
import type { GoogleCredentials } from "../../../plugins/google-sheets/client.js";
import type { EsignCredentials } from "../../../plugins/lib/esign-server.js";
import { airtableSubject } from "../airtable/airtable-setup.js";
import { startDocuseal } from "../docuseal/docuseal-setup.js";
import { googleSubject } from "../google-sheets/google-setup.js";

// Mistakes that authors make: what the plugin does, the check that detects it, and what the check says.
type Mistakes<Plugin> = Readonly<
  Record<string, [Partial<Plugin>, check: string, said: string]>
>;

function detectEach<Plugin>(
  mistakes: Mistakes<Plugin>,
  createSuite: (changes: Partial<Plugin>) => ContractSuite,
): void {
  for (const [what, [changes, title, said]] of Object.entries(mistakes))
    it(what, async () => {
      const { checks, close } = createSuite(changes);
      const check = checks.find((one) => one.title === title);
      const error = await check?.run().then(() => null, String);
      await close();
      expect(error).to.contain(said);
    });
}

type Platform = PlatformPlugin<GoogleCredentials>;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what it lacks, no mistake is about
const correct = googleSubject.plugin as Required<Platform>;
const { authorization } = correct;
const fetchRows: Platform["fetchRows"] = (...args) =>
  correct.fetchRows(...args);
const changeList = (change: (page: RowPage) => RowPage) => ({
  listRows: async (...args: Parameters<typeof correct.listRows>) =>
    change(await correct.listRows(...args)),
});
const inOrder =
  "listRows lists the rows of a view or filter, each once, in order";
const manyInOrder =
  "many records get their files in order, and keep those that they had if these are to be added";

describe("the contract suite detects a platform plugin that", () => {
  detectEach<Platform>(
    {
      "cuts off links": [
        {
          fetchRows: async (...args) => {
            const { rows, missing } = await fetchRows(...args);
            const cut = rows.map(({ links, ...row }) => ({
              ...row,
              links: { Items: links["Items"]?.slice(0, 25) ?? [] },
            }));
            return { rows: cut, missing };
          },
        },
        "links are complete beyond 25 and 100",
        "25 of 130 links",
      ],
      "takes a page of HTML for an answer without rows": [
        {
          fetchRows: (context, scope, ids) =>
            fetchRows(context, scope, ids).catch(() => ({
              rows: [],
              missing: [...ids],
            })),
        },
        "HTML with status 200 at any request of a read is unavailable",
        "fetchRows with HTML with status 200 from request 1 on must reject with PlatformError unavailable, but returned",
      ],
      "sends requests of its own": [
        {
          check: async (context) => {
            await fetch(context.credentials.endpointUrl ?? "");
            return correct.check(context);
          },
        },
        "every request is rate-limited",
        "went through context.http, context.json and context.turn",
      ],
      "hides which rows are missing": [
        {
          fetchRows: async (...args) => ({
            ...(await fetchRows(...args)),
            missing: [],
          }),
        },
        "ids without a row are reported as missing",
        "Requested: 1, 2, 9999. Returned: 1, 2.",
      ],
      "always replaces files": [
        {
          writeBack: (context, scope, id, field, files) =>
            correct.writeBack(context, scope, id, field, files, "replace"),
        },
        "append keeps the files of the cell",
        "must contain one.txt and two.txt",
      ],
      "writes to any field": [
        {
          writeBack: (context, scope, id, _field, files, mode) =>
            correct.writeBack(context, scope, id, "Documents", files, mode),
        },
        "writing to a field that does not accept files changes nothing",
        "writeBack to Name",
      ],
      "reveals a secret": [
        {
          fetchRows: (context, ...args) =>
            fetchRows(context, ...args).catch(() => {
              const { refreshToken } = context.credentials;
              throw new PlatformError("unavailable", `${refreshToken} failed.`);
            }),
        },
        "a 503 at any request of a read is unavailable",
        "the error message contains a secret",
      ],
      "replaces the files of many records that are to be added": [
        {
          writeBackMany: (context, scope, field, writes) =>
            correct.writeBackMany(context, scope, field, writes, "replace"),
        },
        manyInOrder,
        "must contain old.txt, b-1.txt, a-1.txt in this order, but contains b-1.txt, a-1.txt",
      ],
      "adds the files of many records in another order": [
        {
          writeBackMany: (context, scope, field, writes, mode) => {
            const changed = writes.map(({ files, ...write }) => ({
              ...write,
              files: files.toReversed(),
            }));
            return correct.writeBackMany(context, scope, field, changed, mode);
          },
        },
        manyInOrder,
        "but contains old.txt, a-1.txt, b-1.txt",
      ],
      "returns records that do not exist": [
        {
          writeBackMany: async (context, scope, field, writes, mode) => {
            await correct.writeBackMany(context, scope, field, writes, mode);
            return writes.map(({ recordId }) => ({
              recordId,
              attachments: [],
            }));
          },
        },
        "a record that does not exist does not keep others from their files",
        "writeBackMany must not return a record that does not exist",
      ],
      "denies a write that had its effect": [
        {
          writeBackMany: async (...args) => {
            await correct.writeBackMany(...args);
            throw new PlatformError("conflict", "Nothing was written.");
          },
        },
        "many records that are repeated after a lost reply get each file once",
        "but contains old.txt, b-1.txt, a-1.txt, b-1.txt",
      ],
      "loses the state of the consent": [
        {
          authorization: {
            ...authorization,
            createUrl: (context, request) =>
              authorization.createUrl(context, { ...request, state: "x" }),
          },
        },
        "the page for the consent gets the state, the challenge and the redirect URI",
        "createUrl must set state in the query",
      ],
      "accepts any code": [
        {
          authorization: {
            ...authorization,
            exchangeCode: () => Promise.resolve({ refreshToken: "any" }),
          },
        },
        "exchangeCode rejects a code that was used with auth",
        "exchangeCode",
      ],
      "grants what is no secret of its credentials": [
        { authorization: { ...authorization, grants: ["secret"] } },
        "authorization grants secrets of the credentials",
        "credentials.schema must describe secret",
      ],
      "gives a text the format of a number": [
        {
          describe: async (...args) =>
            (await correct.describe(...args)).map((table) => ({
              ...table,
              fields: table.fields.map((field) =>
                field.id === "Name" ? { ...field, format: "percent" } : field,
              ),
            })),
        },
        "fields of money and of percentages contain numbers",
        "fetchRows must return numbers for Name",
      ],
      "lists rows in another order": [
        changeList(({ ids }) => ({ ids: ids.toReversed() })),
        inOrder,
        "listRows must list the rows",
      ],
      "never ends a list": [
        changeList(({ ids }) => ({ ids, next: "more" })),
        inOrder,
        "so it never ends",
      ],
      "lists rows whose field has a file": [
        changeList(({ ids }) => ({ ids: ["1", "2", "3", ...ids, "N4", "N5"] })),
        "listRows lists a row with an empty field until it has a file",
        "listRows must not list a row whose field has a file",
      ],
    },
    (changes) =>
      contractSuite({
        start: () => googleSubject.start(),
        plugin: { ...correct, ...changes },
      }),
  );

  it("does not keep its webhook", async () => {
    const { plugin } = airtableSubject;
    const { changes } = plugin;
    if (!changes) throw new Error("the plugin has no changes");
    let calls = 0;
    const { checks, close } = contractSuite({
      start: () => airtableSubject.start(),
      plugin: {
        ...plugin,
        changes: {
          ...changes,
          // Another address each time, so that earlier webhooks are not found.
          subscribe: (context, scope, url, current) =>
            changes.subscribe(context, scope, `${url}?${calls++}`, current),
        },
      },
    });
    const check = checks.find((one) => one.title.startsWith("changes leaves"));
    const error: unknown = await check?.run().catch((cause: unknown) => cause);
    await close();
    expect(String(error)).to.contain("must keep the webhook");
  });
});

describe("the contract suite detects a host that", () => {
  detectEach(
    {
      "has no lock on cells": [
        {},
        "parallel writes to one cell keep all files",
        "after 8 parallel writes",
      ],
    },
    () => contractSuite(googleSubject, { lock: (_cell, work) => work() }),
  );
});

type Provider = EsignProvider<EsignCredentials>;

const lostReply =
  "a start with a lost reply at any request results in exactly one request";

describe("the contract suite detects an e-signature provider that", () => {
  detectEach<Provider>(
    {
      "never finds the requests that it has started": [
        { find: () => Promise.resolve(null) },
        lostReply,
        "the provider has 2 requests instead of one",
      ],
      "reports a lost reply as a refusal": [
        {
          start: (context, request) =>
            docusealPlugin.start(context, request).catch(() => {
              throw new PlatformError("invalid_field", "no.");
            }),
        },
        lostReply,
        "not with invalid_field",
      ],
      "counts the order of signers from 1": [
        {
          start: (context, request) =>
            docusealPlugin.start(context, {
              ...request,
              submitters: request.submitters.map((one) => ({
                ...one,
                order: one.order + 1,
              })),
            }),
        },
        "signers with order 0 are asked first",
        "only the signer with order 0 must be asked",
      ],
      "accepts every notice": [
        { parseNotice: () => ({ externalId: "1002" }) },
        "a notice with a missing or wrong proof is rejected",
        "parseNotice must return null",
      ],
      "sends requests of its own": [
        {
          status: async (context, id) => {
            await fetch(`${context.credentials.url}/api/submissions/${id}`);
            return docusealPlugin.status(context, id);
          },
        },
        "every request is rate-limited",
        "went through context.http, context.json and context.turn",
      ],
    },
    (changes) =>
      esignContractSuite({
        plugin: { ...docusealPlugin, ...changes },
        start: startDocuseal,
      }),
  );
});
