import type { MigrationInterface, QueryRunner } from "typeorm";
import {
  createTable,
  datetime,
  id,
  longtext,
  nullable,
  primary,
  type TableShape,
  varchar,
} from "./table.js";

/** Assistants that connect by OAuth, what people allow them, and their tokens. */
export class Oauth implements MigrationInterface {
  readonly name = "Oauth0000000000019";

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, "oauth_client", oauthClient);
    await createTable(runner, "oauth_grant", oauthGrant);
    await createTable(runner, "oauth_token", oauthToken);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable("oauth_token", true);
    await runner.dropTable("oauth_grant", true);
    await runner.dropTable("oauth_client", true);
  }
}

const oauthClient: TableShape = {
  columns: {
    id: primary(id),
    client_id: varchar(512),
    name: varchar(255),
    redirect_uris: longtext,
    created_at: datetime,
  },
  indexes: { ix_oauth_client_age: ["created_at"] },
  uniques: { ux_oauth_client_id: ["client_id"] },
};

const oauthGrant: TableShape = {
  columns: {
    id: primary(id),
    organization_id: id,
    user_id: id,
    client_id: id,
    name: varchar(255),
    redirect_host: varchar(255),
    scopes: longtext,
    created_at: datetime,
    last_used_at: nullable(datetime),
    expires_at: datetime,
    revoked_at: nullable(datetime),
  },
  references: {
    fk_oauth_grant_organization: ["organization_id", "organization"],
    fk_oauth_grant_user: ["user_id", "user"],
    fk_oauth_grant_client: ["client_id", "oauth_client"],
  },
  indexes: {
    ix_oauth_grant_organization: ["organization_id", "created_at"],
    ix_oauth_grant_user: ["user_id", "organization_id"],
    ix_oauth_grant_client: ["client_id"],
    ix_oauth_grant_expiry: ["expires_at"],
  },
};

const oauthToken: TableShape = {
  columns: {
    id: primary(id),
    grant_id: id,
    kind: varchar(16),
    hash: varchar(64),
    scopes: longtext,
    redirect_uri: nullable(varchar(2048)),
    code_challenge: nullable(varchar(64)),
    created_at: datetime,
    expires_at: datetime,
    used_at: nullable(datetime),
  },
  references: { fk_oauth_token_grant: ["grant_id", "oauth_grant"] },
  indexes: {
    ix_oauth_token_grant: ["grant_id", "kind"],
    ix_oauth_token_expiry: ["expires_at"],
  },
  uniques: { ux_oauth_token_hash: ["hash"] },
};
