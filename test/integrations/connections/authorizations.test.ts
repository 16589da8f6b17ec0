import { createHash } from "node:crypto";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { z } from "zod";
import { parseConfig } from "../../../config/index.js";
import { platformCode, pluginFolder } from "../../support/plugin-folder.js";
import { usePlatformServer } from "../../support/records.js";
import { useService } from "../../support/service.js";
import { anyDatabase } from "../../support/store.js";
import { newVisitor, type TestVisitor } from "../../support/studio.js";

/** What makes the platform one of another kind. */
const kinds = {
  platform: "",
  delivery: `
plugin.meta.kind = "delivery";
plugin.target = { schema: { type: "object", additionalProperties: false, properties: {} } };
plugin.capabilities = { maxBytes: 1000, repeatable: true, message: false };
plugin.deliver = async () => ({ id: "delivered" });
`,
};

/** Its token comes from a person's consent, by a code that its server redeems. */
const createCode = (kind: keyof typeof kinds) => `${platformCode("ledger")}
${kinds[kind]}
plugin.authorization = {
  title: "Ledger",
  needs: ["url"],
  grants: ["token"],
  async createUrl({ credentials: { url } }, { redirectUri, state, codeChallenge }) {
    const query = new URLSearchParams({ redirect_uri: redirectUri, state, code_challenge: codeChallenge });
    return url + "/consent?" + query;
  },
  async exchangeCode({ credentials: { url }, json }, code) {
    const { status, body } = await json(url + "/token", { method: "POST", json: code });
    if (status !== 200) throw refuse("auth", "the code is not known. Start again.");
    return { token: body.token, url: "https://elsewhere.example.com" };
  },
};`;

const at = "/studio/api/authorizations";
const begun = z.object({ url: z.string() });
const saved = z.object({ connectionId: z.string() });
const redemption = z.object({
  code: z.string(),
  codeVerifier: z.string(),
  redirectUri: z.string(),
});

const finish = (visitor: TestVisitor, query: string) =>
  visitor.send("POST", `${at}/finish`, { query });

for (const kind of ["platform", "delivery"] as const) {
  const platen = { kind };
  const code = createCode(kind);
  describe(`a ${kind} plugin from outside that is authorized by a person's consent`, () => {
    anyDatabase((open, database) => {
      before(open);
      const { plugins } = parseConfig({
        PLATEN_PLUGIN_FOLDER: pluginFolder({ name: "ledger", platen, code }),
      });
      const outbound = { allowPrivateNetworks: ["127.0.0.0/8"] };
      const service = useService({ config: { database, outbound, plugins } });
      const server = usePlatformServer();
      /** What the page was asked for, by the code that it gave. */
      const consents = new Map<string, URLSearchParams>();
      before(() => {
        server.answer = (request, response) => {
          void (async () => {
            const body = await text(request);
            const { authorization } = request.headers;
            if (request.url === "/token" && redeem(body))
              response.end('{"token":"granted-1"}');
            else if (authorization === "Bearer granted-1")
              response.end('{"name":"Ada"}');
            else response.writeHead(401).end("{}");
          })();
        };
      });

      function redeem(body: string): boolean {
        const sent = redemption.parse(JSON.parse(body));
        const query = consents.get(sent.code);
        consents.delete(sent.code);
        const hash = createHash("sha256").update(sent.codeVerifier);
        return (
          query?.get("redirect_uri") === sent.redirectUri &&
          query.get("code_challenge") === hash.digest("base64url")
        );
      }

      /** Begins, and consents on the page. @returns the query with which it sends the browser back. */
      async function consent(visitor: TestVisitor, input: object) {
        const response = await visitor.send("POST", at, input);
        const body = await response.text();
        expect(response.status, body).to.equal(200);
        const page = new URL(begun.parse(JSON.parse(body)).url);
        expect(page.origin).to.equal(server.url);
        const given = `code-${consents.size}`;
        consents.set(given, page.searchParams);
        const state = page.searchParams.get("state") ?? "";
        return new URLSearchParams({ code: given, state }).toString();
      }

      const create = () => ({
        [kind]: "ledger",
        name: "Books",
        credentials: { url: server.url },
      });

      it("is offered, and saves what the consent grants and nothing else", async () => {
        const visitor = await newVisitor(service);
        expect(await (await visitor.get(at)).text()).to.contain(
          `{"kind":"${kind}","id":"ledger","title":"Ledger"`,
        );
        const query = await consent(visitor, create());
        const finished = await finish(visitor, query);
        const body = await finished.text();
        expect(finished.status, body).to.equal(200);
        const { connectionId } = saved.parse(JSON.parse(body));
        const path = `/api/connections/${connectionId}`;
        const shown = await (await visitor.get(path)).text();
        expect(shown).to.contain(server.url).and.not.contain("granted");
        const tested = await visitor.send("POST", `${path}/test`);
        expect(await tested.text()).to.contain('"working"');
      });

      it("renews the secret of a saved connection, with its saved or with new credentials", async () => {
        const visitor = await newVisitor(service);
        const credentials = { url: server.url, token: "revoked-token" };
        const created = await visitor.send("POST", "/api/connections", {
          ...create(),
          credentials,
        });
        const { id: connectionId } = z
          .object({ id: z.string() })
          .parse(await created.json());
        for (const more of [{}, { credentials: { url: server.url } }]) {
          const query = await consent(visitor, { connectionId, ...more });
          const finished = await finish(visitor, query);
          expect(await finished.json()).to.deep.equal({ connectionId });
          const path = `/api/connections/${connectionId}/test`;
          expect(await (await visitor.send("POST", path)).text()).to.contain(
            '"working"',
          );
        }
      });

      it("saves nothing when the platform does not know the code", async () => {
        const visitor = await newVisitor(service);
        const query = await consent(visitor, create());
        consents.clear();
        const refused = await finish(visitor, query);
        expect(refused.status).to.be.within(400, 499);
        expect(await refused.text()).to.contain("Start again");
        const list = await (await visitor.get("/api/connections")).text();
        expect(list).to.not.contain("Books");
      });
    });
  });
}
