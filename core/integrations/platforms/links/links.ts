import { requireBatchPlan } from "../../../batches/index.js";
import { inject, injectable } from "../../../lib/injection.js";
import type { SecretBox } from "../../../lib/secrets.js";
import { BASE_URL } from "../../../lib/tokens.js";
import { type Format, PlatenError } from "../../../plugin-api/index.js";
import {
  findForUpdate,
  insertRow,
  isId,
  Link,
  listPage,
  newId,
  Organization,
  type Page,
  type PageRequest,
  type Store,
  Template,
} from "../../../storage/database/index.js";
import { STORE } from "../../../storage/database/tokens.js";
import type {
  Actor,
  ConnectionService,
  RecordAudit,
} from "../../connections/index.js";
import { CONNECTIONS, RECORD_AUDIT } from "../../connections/tokens.js";
import { resolveDestination } from "../destination.js";
import { createToken, openLink, type OpenLink } from "./link-access.js";
import { LINK_SECRETS } from "../tokens.js";

/** A new link: the documents that it generates, and where the records are. */
interface LinkInput {
  templateId: string;
  platform: string;
  /** Default: the template's name. */
  name?: string | undefined;
  /** The defaults of these fields are the same as in a batch of the platform's records. */
  connectionId?: string | undefined;
  baseId?: string | undefined;
  tableId?: string | undefined;
  attachmentField?: string | undefined;
  formats?: readonly Format[] | undefined;
  overwriteExisting?: boolean | undefined;
  /** Default: never. */
  expiresAt?: Date | undefined;
}

/** A link with its address, which everyone who has it may use. */
export interface LinkWithUrl extends LinkView {
  token: string;
  /** To be completed with `recordId=` and the id of a record. */
  url: string;
  formulas: Formula[];
}

const maxNameLength = 200;

/** Links by which people without a key generate documents, each for one template and one table. */
@injectable()
export class Links {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(LINK_SECRETS) private readonly secrets: SecretBox,
    @inject(CONNECTIONS) private readonly connections: ConnectionService,
    /** Without a trailing slash. */
    @inject(BASE_URL) private readonly baseUrl: string,
    @inject(RECORD_AUDIT) private readonly recordAudit: RecordAudit,
  ) {}

  /**
   * Checks the destination on the platform first, so that a new link works. @param owner without a user, the link belongs
   * to the organization. @throws PlatenError `not_found`, or `invalid_request` as a batch of these records would.
   */
  async create(
    owner: { organizationId: string; userId?: string | undefined },
    input: LinkInput,
    actor: Actor,
  ): Promise<LinkWithUrl> {
    const row = await this.createRow(owner, input);
    const { id, organizationId, name, templateId, platform, tableName } = row;
    await this.store.unitOfWork.run(async (tx) => {
      await insertRow(tx, Link, row);
      await this.recordAudit(tx, actor, {
        organizationId,
        action: "link.created",
        subject: id,
        details: { name, templateId, platform, tableName },
      });
    });
    return this.addUrl(row);
  }

  /** Newest first, without their addresses. */
  async list(
    organizationId: string,
    page: PageRequest,
  ): Promise<{ data: LinkView[]; pagination: Omit<Page<never>, "rows"> }> {
    const { rows, ...pagination } = await this.store.snapshot((read) =>
      listPage(read, Link, {
        ...page,
        where: { organizationId },
        newestBy: "createdAt",
      }),
    );
    return { data: rows.map(toLinkView), pagination };
  }

  /** @throws PlatenError `not_found`. */
  async get(organizationId: string, id: string): Promise<LinkWithUrl> {
    const { read } = this.store;
    const row = isId(id)
      ? await read.findOneBy(Link, { id, organizationId })
      : null;
    return this.addUrl(row ?? throwNotFound());
  }

  /** Revokes a link permanently; a revoked link stays as it is. @throws PlatenError `not_found`. */
  async revoke(
    organizationId: string,
    id: string,
    actor: Actor,
  ): Promise<LinkView> {
    if (!isId(id)) throwNotFound();
    return this.store.unitOfWork.run(async (tx) => {
      const where = { id, organizationId };
      const row = (await findForUpdate(tx, Link, where)) ?? throwNotFound();
      if (row.revokedAt !== null) return toLinkView(row);
      row.revokedAt = new Date();
      await tx.update(Link, { id }, { revokedAt: row.revokedAt });
      await this.recordAudit(tx, actor, {
        organizationId,
        action: "link.revoked",
        subject: id,
        details: { name: row.name },
      });
      return toLinkView(row);
    });
  }

  /** @throws PlatenError `unauthorized` that says whether the token is invalid, expired or revoked. */
  open(token: string): Promise<OpenLink> {
    return openLink(this.store.read, this.secrets, token);
  }

  private async createRow(
    {
      organizationId,
      userId,
    }: { organizationId: string; userId?: string | undefined },
    input: LinkInput,
  ): Promise<Link> {
    const { store, connections } = this;
    const organization = await store.read.findOneByOrFail(Organization, {
      id: organizationId,
    });
    const { plan, serviceUserId } = organization;
    requireBatchPlan(plan);
    const { name: chosen, expiresAt, ...wanted } = input;
    const createdById = userId ?? serviceUserId;
    const { connection, scope, table, field } = await resolveDestination(
      { store, connections },
      { ...wanted, organizationId, plan, createdById },
    );
    const name = chosen ?? (await this.getTemplateName(input.templateId));
    return {
      id: newId(),
      organizationId,
      name: parseName(name),
      templateId: input.templateId,
      platform: input.platform,
      connectionId: connection.id,
      baseId: scope.baseId ?? null,
      tableId: table.id,
      tableName: table.name,
      primaryFieldId: table.primaryFieldId ?? null,
      fieldId: field?.id ?? null,
      fieldName: field?.name ?? null,
      formats: [...new Set<Format>(input.formats ?? ["pdf"])],
      overwriteExisting: input.overwriteExisting ?? false,
      expiresAt: parseExpiry(expiresAt),
      revokedAt: null,
      createdById,
      createdAt: new Date(),
    };
  }

  private async getTemplateName(id: string): Promise<string> {
    const { name } = await this.store.read.findOneOrFail(Template, {
      where: { id },
      select: { id: true, name: true },
    });
    return name.slice(0, maxNameLength);
  }

  private async addUrl(row: Link): Promise<LinkWithUrl> {
    const token = await createToken(this.secrets, row);
    const url = `${this.baseUrl}/run/${token}`;
    const formulas = createFormulas(row.platform, url, row.name);
    return { ...toLinkView(row), token, url, formulas };
  }
}

function throwNotFound(): never {
  throw new PlatenError("not_found", "There is no such link.");
}

/** @throws PlatenError `invalid_request`. */
function parseName(name: string): string {
  const text = name.trim();
  if (text !== "" && text.length <= maxNameLength) return text;
  throw new PlatenError(
    "invalid_request",
    `$.name: must have 1 to ${maxNameLength} characters.`,
  );
}

/** @throws PlatenError `invalid_request` for a time in the past. */
function parseExpiry(expiresAt: Date | undefined): Date | null {
  if (expiresAt === undefined) return null;
  if (expiresAt.getTime() > Date.now()) return expiresAt;
  throw new PlatenError(
    "invalid_request",
    "$.expiresAt: must be in the future. Omit it for a link that does not expire.",
  );
}

/** A link without its address. Times are ISO 8601. */
type LinkView = ReturnType<typeof toLinkView>;

function toLinkView(row: Link) {
  const { revokedAt, expiresAt } = row;
  const isExpired = expiresAt !== null && expiresAt.getTime() <= Date.now();
  const state = isExpired ? ("expired" as const) : ("active" as const);
  return {
    id: row.id,
    organizationId: row.organizationId,
    name: row.name,
    templateId: row.templateId,
    platform: row.platform,
    connectionId: row.connectionId,
    baseId: row.baseId,
    tableId: row.tableId,
    tableName: row.tableName,
    /** The name of the field that receives the files; null when nothing is written back. */
    attachmentField: row.fieldName,
    formats: row.formats,
    overwriteExisting: row.overwriteExisting,
    state: revokedAt === null ? state : ("revoked" as const),
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
    createdById: row.createdById,
    createdAt: row.createdAt.toISOString(),
  };
}

/** A formula to paste into a field of the platform. */
interface Formula {
  /** The kind of field to paste it into. */
  where: string;
  formula: string;
}

/** Formulas that create a link's URL for each record; empty for platforms without formulas. */
export function createFormulas(
  platform: string,
  url: string,
  label: string,
): Formula[] {
  const start = `${url}?recordId=`;
  switch (platform) {
    case "airtable":
      return [
        {
          where: "Button field, action “Open URL”; or formula field",
          formula: `"${start}" & RECORD_ID()`,
        },
      ];
    case "nocodb":
      return [
        {
          where: "Button field, action “Open URL”",
          formula: `CONCAT("${start}", RECORD_ID())`,
        },
        {
          where: "Formula field",
          formula: `URL(CONCAT("${start}", RECORD_ID()), "${label.replaceAll(/["\\{}]/g, "")}")`,
        },
      ];
    case "google-sheets":
      return [
        {
          where:
            "Any cell of row 2, if A2 contains the record's key; then drag it down",
          formula: `=HYPERLINK("${start}" & ENCODEURL(A2), "${label.replaceAll('"', '""')}")`,
        },
      ];
    default:
      return [];
  }
}
