import { PlatenError } from "../../../plugin-api/index.js";
import type { SecretBox } from "../../../lib/secrets.js";
import type { Link } from "../../../storage/database/index.js";
import {
  AUDIENCE,
  claimsOf,
  type LinkClaims,
  linkClaims,
} from "./link-claims.js";

/** Longer ones are not even opened. */
const longest = 4096;

/** Tokens of links: encrypted (JWE, `dir`, A256GCM) under a key that is made for them alone. */
export class LinkTokens {
  constructor(private readonly secrets: SecretBox) {}

  /** Each time another text with the same meaning. */
  seal(link: Link): Promise<string> {
    return this.secrets.seal(JSON.stringify(claimsOf(link)), AUDIENCE);
  }

  /** What it says, whether it still holds or not. @throws PlatenError `unauthorized` for what is no token of ours. */
  async open(token: string): Promise<LinkClaims> {
    if (token.length > longest) throw noToken();
    try {
      return linkClaims.parse(
        JSON.parse(await this.secrets.open(token, AUDIENCE)),
      );
    } catch (cause) {
      throw noToken(cause);
    }
  }
}

function noToken(cause?: unknown): PlatenError {
  return new PlatenError(
    "unauthorized",
    "This link is not complete, or it is not one of this service. Copy it anew from where it was made.",
    cause === undefined ? {} : { cause },
  );
}
