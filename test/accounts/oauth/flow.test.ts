import { expect } from "chai";
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { before, describe, it } from "mocha";
import { callback, consent } from "../../support/oauth.js";
import { useService } from "../../support/service.js";
import { newVisitor, type TestVisitor } from "../../support/studio.js";

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
