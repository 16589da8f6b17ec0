import type * as openid from "openid-client";
import { z } from "zod";
import { SecretBox } from "../../lib/secrets.js";
import { PlatenError } from "../../plugin-api/index.js";
import { createToken, provide } from "../../lib/injection.js";
import { BASE_URL, CONFIG, SECRETS } from "../../lib/process-values.js";

/** Null: no OpenID provider is configured. */
export const OPEN_ID_SIGN_IN = createToken<OpenIdSignIn | null>("OpenIdSignIn");
provide(OPEN_ID_SIGN_IN, (c) => {
  const { openId } = c.resolve(CONFIG).signIn;
  const box = new SecretBox(c.resolve(SECRETS), "sign-in");
  const returnUrl = `${c.resolve(BASE_URL)}/studio/sign-in/openid/return`;
  return openId && new OpenIdSignIn(openId, returnUrl, box);
});

export interface OpenIdSettings {
  /** https, or http on this machine. */
  issuer: URL;
  clientId: string;
  clientSecret: string;
  /** What the button says: "Continue with …". */
  title: string;
}

type Library = typeof openid;
type Provider = openid.Configuration;

const flowSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
});

const flowOwner = "openid sign-in";

/** Signs in by an OpenID Connect provider: code flow with PKCE, state and nonce. */
export class OpenIdSignIn {
  #provider: Promise<Provider> | null = null;

  /**
   * @param returnUrl where the provider sends browsers back to; registered there.
   * @param seals encrypts what a browser keeps for us meanwhile.
   */
  constructor(
    private readonly settings: OpenIdSettings,
    private readonly returnUrl: string,
    private readonly seals: SecretBox,
  ) {}

  get title(): string {
    return this.settings.title;
  }

  /** @throws PlatenError `unavailable` when the provider does not answer. */
  async begin(): Promise<{ url: string; flow: string }> {
    const [library, provider] = await this.#open();
    const state = library.randomState();
    const nonce = library.randomNonce();
    const verifier = library.randomPKCECodeVerifier();
    const url = library.buildAuthorizationUrl(provider, {
      redirect_uri: this.returnUrl,
      scope: "openid email profile",
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
      nonce,
    });
    const secret = JSON.stringify({ state, nonce, verifier });
    return { url: url.href, flow: await this.seals.seal(secret, flowOwner) };
  }

  /**
   * The address that the provider vouches for, in lower case.
   * @throws PlatenError `invalid_request` when it was not begun in this browser, `unauthorized` when the provider or
   * the person said no, `conflict` for an address that the provider has not verified, `unavailable`.
   */
  async finish(answer: URLSearchParams, flow: string | null): Promise<string> {
    const { state, nonce, verifier } = await this.#begun(flow);
    const [library, provider] = await this.#open();
    const here = new URL(this.returnUrl);
    here.search = answer.toString();
    try {
      const tokens = await library.authorizationCodeGrant(provider, here, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      return await getVerifiedEmail(library, provider, tokens);
    } catch (cause) {
      throw cause instanceof PlatenError
        ? cause
        : new PlatenError(
            "unauthorized",
            "The sign-in was not completed at the provider. Try again.",
            { cause },
          );
    }
  }

  async #begun(flow: string | null): Promise<z.output<typeof flowSchema>> {
    try {
      const text = await this.seals.open(flow ?? "", flowOwner);
      return flowSchema.parse(JSON.parse(text));
    } catch (cause) {
      throw new PlatenError(
        "invalid_request",
        "This sign-in started in another browser, or more than ten minutes ago. Start again.",
        { cause },
      );
    }
  }

  /** Asked once; a provider that did not answer is asked again the next time. */
  async #open(): Promise<[Library, Provider]> {
    const library = await import("openid-client");
    this.#provider ??= this.#discover(library);
    try {
      return [library, await this.#provider];
    } catch (cause) {
      this.#provider = null;
      throw new PlatenError(
        "unavailable",
        `The sign-in provider ${this.settings.issuer.href} does not answer as one. Look at PLATEN_OIDC_ISSUER.`,
        { cause },
      );
    }
  }

  async #discover(library: Library): Promise<Provider> {
    const { issuer, clientId, clientSecret } = this.settings;
    // The configuration allows http on this machine alone.
    const execute =
      issuer.protocol === "http:" ? [library.allowInsecureRequests] : [];
    const basic = library.ClientSecretBasic(clientSecret);
    const options = { execute, timeout: 10 };
    const configuration = await library.discovery(
      issuer,
      clientId,
      undefined,
      basic,
      options,
    );
    const server = configuration.serverMetadata();
    const ways = server.token_endpoint_auth_methods_supported;
    // What a provider that names none has to take.
    if (ways === undefined || ways.includes("client_secret_basic"))
      return configuration;
    const post = library.ClientSecretPost(clientSecret);
    const other = new library.Configuration(server, clientId, undefined, post);
    for (const prepare of execute) prepare(other);
    return other;
  }
}

/** Some providers write the claim as text. */
const claimsSchema = z.object({
  email: z.email(),
  email_verified: z.union([z.literal(true), z.literal("true")]),
});

/**
 * The verified address among the claims: of the ID token, or else of the provider's own answer about the person.
 * @throws PlatenError `conflict` when there is none.
 */
async function getVerifiedEmail(
  { fetchUserInfo }: Pick<typeof openid, "fetchUserInfo">,
  provider: openid.Configuration,
  tokens: Awaited<ReturnType<typeof openid.authorizationCodeGrant>>,
): Promise<string> {
  const claims = tokens.claims();
  const parsedClaims = claimsSchema.safeParse(claims);
  if (parsedClaims.success) return parsedClaims.data.email.toLowerCase();
  const info = await fetchUserInfo(
    provider,
    tokens.access_token,
    claims?.sub ?? "",
  );
  const parsedInfo = claimsSchema.safeParse(info);
  if (parsedInfo.success) return parsedInfo.data.email.toLowerCase();
  throw new PlatenError(
    "conflict",
    "The sign-in provider has not verified your email address. Verify it there, or ask for a sign-in link.",
  );
}
