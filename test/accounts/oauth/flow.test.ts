import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { expect } from "chai";
import { z } from "zod";
import { callback, consent, connectAssistant } from "../../support/oauth.js";
import { useService } from "../../support/service.js";
import { cliOn } from "../../support/store-cli.js";
import { newVisitor, type TestVisitor } from "../../support/studio.js";
import { WaitingTool, postMessage, rpc } from "../../support/tool-client.js";

/** Keeps in memory what a client stores, and the address to which it would send its person. */
class MemoryProvider implements OAuthClientProvider {
  sentTo: URL | null = null;
  #client: OAuthClientInformationMixed | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = "";

  readonly redirectUrl = callback;

  constructor(private readonly scope?: string) {}

  get clientMetadata() {
    return {
      client_name: "Assistant of the SDK",
      redirect_uris: [callback],
      ...(this.scope !== undefined && { scope: this.scope }),
    };
  }

  clientInformation = () => this.#client;
  saveClientInformation = (client: OAuthClientInformationMixed) => {
    this.#client = client;
  };
  tokens = () => this.#tokens;
  saveTokens = (tokens: OAuthTokens) => {
    this.#tokens = tokens;
  };
  redirectToAuthorization = (url: URL) => {
    this.sentTo = url;
  };
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier;
  };
  codeVerifier = () => this.#verifier;
  state = () => "state-of-the-client";
}

describe("the SDK's client with OAuth", () => {
  const service = useService();
  let visitor: TestVisitor;

  before(async () => {
    visitor = await newVisitor(service);
  });

  const open = (provider: MemoryProvider) => ({
    client: new Client({ name: "test", version: "1.0.0" }),
    transport: new StreamableHTTPClientTransport(
      new URL(`${service.url}/mcp`),
      { authProvider: provider },
    ),
  });

  /** From the first refusal to the connection; the person says yes. */
  async function connect(provider: MemoryProvider): Promise<Client> {
    const first = open(provider);
    const rejected = await first.client
      .connect(first.transport)
      .then(() => null, String);
    expect(rejected).to.include("Unauthorized");
    const question = provider.sentTo ?? new URL(service.url);
    const page = await fetch(question, { redirect: "manual" });
    expect(page.status).to.equal(303);
    const here = new URL(page.headers.get("location") ?? "");
    expect(here.pathname).to.equal("/studio/connect");
    const redirect = await consent(visitor, here.search);
    expect(redirect.href).to.match(/^http:\/\/127\.0\.0\.1:33418\/callback\?/);
    expect(redirect.searchParams.get("state")).to.equal("state-of-the-client");
    await first.transport.finishAuth(redirect.searchParams);
    const second = open(provider);
    await second.client.connect(second.transport);
    return second.client;
  }

  it("finds the way by itself, registers, asks the person and lists the tools", async () => {
    const client = await connect(new MemoryProvider());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).to.include.members([
      "list_templates",
      "create_template",
      "render_document",
    ]);
    await client.close();
  });

  it("refreshes an access token that is no longer good without asking the person", async () => {
    const provider = new MemoryProvider();
    const client = await connect(provider);
    await client.close();
    const tokens = provider.tokens();
    provider.sentTo = null;
    if (tokens)
      provider.saveTokens({ ...tokens, access_token: "plo_has-expired" });
    const again = open(provider);
    await again.client.connect(again.transport);
    expect((await again.client.listTools()).tools).not.to.deep.equal([]);
    expect(provider.sentTo).to.equal(null);
    expect(provider.tokens()?.refresh_token).not.to.equal(
      tokens?.refresh_token,
    );
    await again.client.close();
  });
});

const listSchema = z.strictObject({
  address: z.string(),
  assistants: z.array(
    z.looseObject({
      id: z.string(),
      name: z.string(),
      scopes: z.array(z.string()),
    }),
  ),
});

async function listAssistants(visitor: TestVisitor) {
  const response = await visitor.get("/studio/api/assistants");
  return listSchema.parse(await response.json());
}

describe("connected assistants", () => {
  const waiting = new WaitingTool();
  const service = useService({
    replace: (container) => waiting.replaceTools(container),
  });
  const fetchStatus = async (token: string) => {
    const authorization = `Bearer ${token}`;
    return (await postMessage(service.url, { authorization })).status;
  };

  it("are listed for owners, and for others their own", async () => {
    const owner = await newVisitor(service);
    const { organizationId } = owner;
    const editor = await newVisitor(service, "editor", organizationId);
    const viewer = await newVisitor(service, "viewer", organizationId);
    const { tokens } = await connectAssistant(service, { visitor: editor });
    expect(await fetchStatus(tokens.access_token)).to.equal(200);
    await connectAssistant(service);
    const { address, assistants } = await listAssistants(owner);
    expect(address).to.equal(`${service.url}/mcp`);
    expect(assistants).to.have.length(1);
    expect(assistants[0]).to.deep.include({
      name: "Test assistant",
      redirectHost: "127.0.0.1",
      user: { id: editor.userId, name: "Ada", email: editor.email },
      scopes: [
        "templates:read",
        "templates:write",
        "documents:read",
        "documents:write",
      ],
    });
    expect((await listAssistants(editor)).assistants).to.have.length(1);
    expect((await listAssistants(viewer)).assistants).to.deep.equal([]);
  });

  it("are disconnected by owners and by their person, and noted in the audit log", async () => {
    const owner = await newVisitor(service);
    const { organizationId } = owner;
    const editor = await newVisitor(service, "editor", organizationId);
    const other = await newVisitor(service, "editor", organizationId);
    const stranger = await newVisitor(service);
    for (const visitor of [owner, editor]) {
      const { tokens } = await connectAssistant(service, { visitor: editor });
      expect(await fetchStatus(tokens.access_token)).to.equal(200);
      const [assistant] = (await listAssistants(editor)).assistants;
      const path = `/studio/api/assistants/${assistant?.id ?? ""}`;
      for (const wrong of [other, stranger])
        expect((await wrong.send("DELETE", path)).status).to.equal(404);
      expect(await fetchStatus(tokens.access_token)).to.equal(200);
      expect((await visitor.send("DELETE", path)).status).to.equal(200);
      expect(await fetchStatus(tokens.access_token)).to.equal(401);
      expect((await listAssistants(owner)).assistants).to.deep.equal([]);
    }
    const log = await (await owner.get("/studio/api/audit")).text();
    const { data } = z
      .looseObject({
        data: z.array(
          z.looseObject({
            action: z.string(),
            subject: z.looseObject({ name: z.string().nullable() }),
          }),
        ),
      })
      .parse(JSON.parse(log));
    const auditEvents = data
      .filter(({ action }) => action.startsWith("assistant."))
      .map(({ action, subject }) => `${action} ${subject.name}`);
    expect(auditEvents).to.deep.equal([
      "assistant.revoked Test assistant",
      "assistant.connected Test assistant",
      "assistant.revoked Test assistant",
      "assistant.connected Test assistant",
    ]);
  });

  it("have their calls aborted when they are disconnected", async () => {
    const { visitor, tokens } = await connectAssistant(service);
    const authorization = `Bearer ${tokens.access_token}`;
    const called = waiting.called();
    const call = rpc("tools/call", { name: "wait" });
    const answer = await postMessage(service.url, { authorization }, call);
    await called;
    const aborted = waiting.aborted();
    const [assistant] = (await listAssistants(visitor)).assistants;
    await visitor.send(
      "DELETE",
      `/studio/api/assistants/${assistant?.id ?? ""}`,
    );
    await aborted;
    expect(await answer.text().catch(String)).not.to.contain("waited");
  });

  it("are listed and disconnected on the command line", async () => {
    const { visitor, tokens } = await connectAssistant(service);
    const cli = cliOn(service.dataFolder);
    const { organizationId: org, email } = visitor;
    const listed = await cli("oauth", "list", "--org", org, "--json");
    const [grant, ...others] = JSON.parse(listed.stdout);
    expect(others).to.deep.equal([]);
    expect(grant).to.deep.include({ name: "Test assistant" });
    const table = await cli("oauth", "list", "--org", org);
    expect(table.stdout).to.include(email);
    expect(table.stdout).not.to.include(tokens.access_token);
    const revoked = await cli("oauth", "revoke", grant.id);
    expect(revoked.stdout).to.include("Disconnected Test assistant");
    expect(await fetchStatus(tokens.access_token)).to.equal(401);
    const again = await cli("oauth", "list", "--org", org, "--json");
    expect(JSON.parse(again.stdout)).to.deep.equal([]);
    const unknown = await cli("oauth", "revoke", "x");
    expect(unknown.code).to.equal(1);
    expect(unknown.stderr).to.include("no connected assistant x");
    const nowhere = await cli("oauth", "list", "--org", "x");
    expect(nowhere.stderr).to.include("no organization x");
  });
});
