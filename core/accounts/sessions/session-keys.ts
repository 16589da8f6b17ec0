import { type Actor, type ApiKeys, type ApiKeyView, SCOPES } from "../index.js";
import type { AppKeys, AppVisitor, KeyInfo } from "../../plugin-api/index.js";

/** The API keys of the organization that a person looks at. */
export class SessionKeys implements AppKeys {
  readonly scopes = SCOPES;

  constructor(private readonly keys: ApiKeys) {}

  async list({ organizationId }: AppVisitor): Promise<KeyInfo[]> {
    return (await this.keys.list(organizationId)).map(infoOf);
  }

  async create(
    visitor: AppVisitor,
    { name, scopes, expiresAt }: Parameters<AppKeys["create"]>[1],
  ): Promise<KeyInfo & { key: string }> {
    const { organizationId, userId } = visitor;
    const input = { name, scopes, userId, ...(expiresAt && { expiresAt }) };
    const made = await this.keys.create(
      organizationId,
      input,
      actorOf(visitor),
    );
    return { ...infoOf(made), key: made.key };
  }

  async revoke(visitor: AppVisitor, keyId: string): Promise<KeyInfo> {
    const { organizationId } = visitor;
    const actor = actorOf(visitor);
    return infoOf(await this.keys.revoke(keyId, actor, organizationId));
  }
}

function actorOf({ userId }: AppVisitor): Actor {
  return { origin: "studio", userId, keyId: null };
}

function infoOf(view: ApiKeyView): KeyInfo {
  const { id, name, prefix, scopes } = view;
  const { createdAt, expiresAt, revokedAt, lastUsedAt } = view;
  const times = { createdAt, expiresAt, revokedAt, lastUsedAt };
  return { id, name, prefix, scopes, ...times };
}
