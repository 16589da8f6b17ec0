import { deepEqual, equal, ok } from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import type {
  AuthorizationCode,
  AuthorizationRequest,
  PlatformContext,
  PluginAuthorization,
  SettingsSchema,
} from "../../core/plugin-api/index.js";
import { assertRejects, type SharedSession } from "./suite-context.js";

// What every plugin must do that has `authorization`, of whatever kind it is.

/** A plugin's authorization, called as the service calls it, and a person who consents. */
export interface SuiteAuthorization {
  needs: readonly string[];
  grants: readonly string[];
  createUrl(request: AuthorizationRequest): Promise<string>;
  exchangeCode(
    code: AuthorizationCode,
  ): Promise<Readonly<Record<string, string>>>;
  /** Consents on the page at this address. @returns the code that the page sends back. */
  consent(page: string): Promise<string>;
}

/**
 * @param call runs a call of the plugin, as the service does.
 * @param consent see `SuiteAuthorization.consent`. @throws Error when it or the plugin's authorization is missing.
 */
export function createSuiteAuthorization<C>(
  { authorization }: { authorization?: PluginAuthorization<C> },
  call: <T>(work: (context: PlatformContext<C>) => Promise<T>) => Promise<T>,
  consent: ((page: string) => Promise<string>) | undefined,
): SuiteAuthorization {
  if (!authorization) throw new Error("the plugin has no authorization");
  if (!consent)
    throw new Error(
      "The plugin has authorization, so what the subject starts needs `consent`.",
    );
  const { needs, grants } = authorization;
  return {
    needs,
    grants,
    createUrl: (request) =>
      call(async (context) => authorization.createUrl(context, request)),
    exchangeCode: (code) =>
      call(async (context) => authorization.exchangeCode(context, code)),
    consent,
  };
}

interface AuthorizationSession extends Pick<SharedSession, "secrets"> {
  plugin: { credentials: { schema: SettingsSchema } };
  readonly authorization: SuiteAuthorization;
}

interface AuthorizationCheck {
  title: string;
  appliesTo(plugin: { authorization?: unknown }): boolean;
  run(session: AuthorizationSession): Promise<void>;
}

const appliesTo: AuthorizationCheck["appliesTo"] = ({ authorization }) =>
  authorization !== undefined;

const settings = z.object({
  properties: z.record(
    z.string(),
    z.looseObject({
      type: z.unknown(),
      writeOnly: z.boolean().default(false),
    }),
  ),
});

/** Where the pages send people back to. Nothing listens there. */
const redirectUri = "https://platen.example.com/studio/connections/return";

async function openConsentPage(authorization: SuiteAuthorization) {
  const codeVerifier = randomBytes(32).toString("base64url");
  const request = {
    redirectUri,
    state: randomBytes(32).toString("base64url"),
    codeChallenge: createHash("sha256")
      .update(codeVerifier)
      .digest("base64url"),
  };
  const page = await authorization.createUrl(request);
  return { page, request, codeVerifier };
}

async function obtainCode(authorization: SuiteAuthorization) {
  const { page, codeVerifier } = await openConsentPage(authorization);
  const code = await authorization.consent(page);
  return { code, codeVerifier, redirectUri };
}

export const authorizationChecks: readonly AuthorizationCheck[] = [
  {
    title: "authorization grants secrets of the credentials",
    appliesTo,
    run: async ({ plugin, authorization: { needs, grants } }) => {
      await Promise.resolve();
      const { properties } = settings.parse(plugin.credentials.schema);
      for (const name of [...needs, ...grants])
        ok(
          properties[name],
          `credentials.schema must describe ${name}, which authorization names`,
        );
      for (const name of grants)
        ok(
          properties[name]?.type === "string" && properties[name].writeOnly,
          `${name} must be a text that is writeOnly, since authorization grants it`,
        );
    },
  },
  {
    title:
      "the page for the consent gets the state, the challenge and the redirect URI",
    appliesTo,
    run: async ({ authorization }) => {
      const { page, request } = await openConsentPage(authorization);
      const query = Object.fromEntries(new URL(page).searchParams);
      const { state, codeChallenge } = request;
      const expected = {
        response_type: "code",
        redirect_uri: redirectUri,
        state,
        code_challenge: codeChallenge,
        code_challenge_method: "S256",
      };
      for (const [name, value] of Object.entries(expected))
        equal(query[name], value, `createUrl must set ${name} in the query`);
    },
  },
  {
    title: "exchangeCode returns what authorization grants",
    appliesTo,
    run: async ({ authorization }) => {
      const code = await obtainCode(authorization);
      const granted = await authorization.exchangeCode(code);
      deepEqual(
        Object.keys(granted).toSorted(),
        authorization.grants.toSorted(),
        "exchangeCode must return the credentials that authorization grants, and no others",
      );
    },
  },
  {
    title: "exchangeCode rejects a code that was used with auth",
    appliesTo,
    run: async (session) => {
      const { authorization } = session;
      const code = await obtainCode(authorization);
      await authorization.exchangeCode(code);
      await assertRejects(session, ["auth", "forbidden"], "exchangeCode", () =>
        authorization.exchangeCode(code),
      );
    },
  },
];
