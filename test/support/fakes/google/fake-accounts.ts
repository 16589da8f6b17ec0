import { generateKeyPairSync } from "node:crypto";
import { importSPKI, jwtVerify } from "jose";
import { googleErrors } from "./google-errors.js";

interface ServiceAccount {
  email: string;
  publicKey: string;
}

/** Who may ask for access tokens, and which were given out. */
export class FakeAccounts {
  private readonly serviceAccounts = new Map<string, ServiceAccount>();
  private readonly refreshTokens = new Map<string, string>();
  private readonly tokens = new Map<string, string>();

  /** @returns the text of its key file. */
  addServiceAccount(name: string): string {
    const { publicKey, privateKey } = generateKeyPairSync("rsa", {
      modulusLength: 2048,
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
    });
    const email = `${name}@project.iam.gserviceaccount.com`;
    this.serviceAccounts.set(email, { email, publicKey });
    return JSON.stringify({
      type: "service_account",
      client_email: email,
      private_key: privateKey,
      token_uri: "https://oauth2.googleapis.com/token",
    });
  }

  /** @returns the refresh token of a user's consent. */
  addUser(email: string): string {
    const token = `refresh-${this.refreshTokens.size}`;
    this.refreshTokens.set(token, email);
    return token;
  }

  async grant(form: URLSearchParams) {
    const email =
      form.get("grant_type") === "refresh_token"
        ? this.refreshTokens.get(form.get("refresh_token") ?? "")
        : await this.signer(form.get("assertion") ?? "");
    if (email === undefined)
      throw googleErrors.grant("Token has been expired or revoked.");
    const token = `access-${this.tokens.size}`;
    this.tokens.set(token, email);
    return { access_token: token, expires_in: 3599, token_type: "Bearer" };
  }

  userOf(authorization = ""): string {
    const email = this.tokens.get(authorization.replace("Bearer ", ""));
    if (email === undefined) throw googleErrors.unauthenticated();
    return email;
  }

  isServiceAccount(email: string): boolean {
    return this.serviceAccounts.has(email);
  }

  private async signer(assertion: string): Promise<string | undefined> {
    for (const { email, publicKey } of this.serviceAccounts.values()) {
      const key = await importSPKI(publicKey, "RS256");
      const { payload } = await jwtVerify(assertion, key).catch(() => ({
        payload: null,
      }));
      if (payload?.iss === email) return email;
    }
    throw googleErrors.grant("Invalid JWT Signature.");
  }
}
