import type * as library from "openid-client";
import { z } from "zod";
import { PlatenError } from "../../plugin-api/index.js";

/** Some providers write the claim as text. */
const vouched = z.object({
  email: z.email(),
  email_verified: z.union([z.literal(true), z.literal("true")]),
});

/**
 * The verified address among the claims: of the ID token, or else of the provider's own answer about the person.
 * @throws PlatenError `conflict` when there is none.
 */
export async function verifiedEmail(
  { fetchUserInfo }: Pick<typeof library, "fetchUserInfo">,
  provider: library.Configuration,
  tokens: Awaited<ReturnType<typeof library.authorizationCodeGrant>>,
): Promise<string> {
  const claims = tokens.claims();
  const told = vouched.safeParse(claims);
  if (told.success) return told.data.email.toLowerCase();
  const info = await fetchUserInfo(
    provider,
    tokens.access_token,
    claims?.sub ?? "",
  );
  const asked = vouched.safeParse(info);
  if (asked.success) return asked.data.email.toLowerCase();
  throw new PlatenError(
    "conflict",
    "The sign-in provider has not verified your e-mail address. Verify it there, or ask for a sign-in link.",
  );
}
