import { type EntityManager, IsNull, Not } from "typeorm";
import { z } from "zod";
import {
  type DocumentDeliveries,
  requireBatchPlan,
  DOCUMENT_DELIVERIES,
} from "../../batches/index.js";

import { clock } from "../../lib/clock.js";
import { normalizeId } from "../../lib/ids.js";
import {
  inject,
  Lifecycle,
  scoped,
  createToken,
  provide,
} from "../../lib/injection.js";
import { SecretBox } from "../../lib/secrets.js";
import {
  type FieldInfo,
  type Format,
  PlatenError,
  type Problem,
} from "../../plugin-api/index.js";
import {
  type CreatedCallback,
  type DeliverEntry,
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
  type Plan,
  STORE,
} from "../../storage/database/index.js";
import { ConnectionService } from "../connections/index.js";
import { resolveDestination } from "./destination.js";
import {
  checkSelector,
  type RecordSelector,
  toSelector,
} from "./select-records.js";
import { BASE_URL, SECRETS } from "../../lib/process-values.js";
import { type Actor, recordAudit } from "../../accounts/index.js";

/** Encrypts the tokens of links. */
const LINK_SECRETS = createToken<SecretBox>("link tokens");
provide(LINK_SECRETS, (c) => new SecretBox(c.resolve(SECRETS), "link tokens"));

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
  /** The records that it takes; default: those that its address names. */
  records?: RecordSelector | undefined;
  /** Default: where the template says, also when that changes. Empty: nowhere. */
  deliver?: readonly DeliverEntry[] | undefined;
  /** Default: never. */
  expiresAt?: Date | undefined;
}

/** Which links are listed; what is left out does not matter. */
interface LinkFilter {
  templateId?: string | undefined;
  isRevoked?: boolean | undefined;
}

/** What can change about a link, whose address stays the same. What is left out stays as it is. */
interface LinkPatch extends Pick<LinkInput, "formats" | "overwriteExisting"> {
  name?: string | undefined;
  /** Null: nothing is written back. */
  attachmentField?: string | null | undefined;
  /** Null: where the template says. */
  deliver?: readonly DeliverEntry[] | null | undefined;
  /** Null: never. */
  expiresAt?: Date | null | undefined;
  /** A paused link creates nothing; pages of earlier documents remain. */
  isPaused?: boolean | undefined;
}

/** A link with its address, which everyone who has it may use. */
export interface LinkWithUrl extends LinkView {
  token: string;
  /** To be completed with `recordId=` and the ids of records, separated by commas, unless the link has `records`. */
  url: string;
  formulas: Formula[];
}

const maxNameLength = 200;

/** Links by which people without a key generate documents, each for one template and one table. */
@scoped(Lifecycle.ContainerScoped)
export class Links {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(LINK_SECRETS) private readonly secrets: SecretBox,
    @inject(ConnectionService) private readonly connections: ConnectionService,
    /** Without a trailing slash. */
    @inject(BASE_URL) private readonly baseUrl: string,
    @inject(DOCUMENT_DELIVERIES)
    private readonly deliveries: Pick<DocumentDeliveries, "check">,
  ) {}

  /**
   * Checks the destination on the platform first, so that a new link works. @param owner without a user, the link belongs
   * to the organization. @throws PlatenError `not_found`, or `invalid_request` as a batch of these records would.
   */
  async create(
    owner: { organizationId: string; userId?: string | undefined },
    input: LinkInput,
    actor: Actor,
    inTransaction?: CreatedCallback<LinkWithUrl>,
  ): Promise<LinkWithUrl> {
    const row = await this.createRow(owner, input);
    const { id, organizationId, name, templateId, platform, tableName } = row;
    const link = await this.addUrl(row);
    await this.store.unitOfWork.run(async (tx) => {
      await insertRow(tx, Link, row);
      await recordAudit(tx, actor, {
        organizationId,
        action: "link.created",
        subject: id,
        details: { name, templateId, platform, tableName },
      });
      await inTransaction?.(tx, link);
    });
    return link;
  }

  /** Newest first, without their addresses. */
  async list(
    organizationId: string,
    page: PageRequest,
    { templateId, isRevoked }: LinkFilter = {},
  ): Promise<{ data: LinkView[]; pagination: Omit<Page<never>, "rows"> }> {
    const { rows, ...pagination } = await this.store.snapshot((read) =>
      listPage(read, Link, {
        ...page,
        where: {
          organizationId,
          ...(templateId !== undefined && { templateId }),
          ...(isRevoked !== undefined && {
            revokedAt: isRevoked ? Not(IsNull()) : IsNull(),
          }),
        },
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

  /**
   * Checks another destination on the platform first, as `create` does. @throws PlatenError `not_found`; `conflict` for a
   * revoked link; `invalid_request`.
   */
  async update(
    organizationId: string,
    id: string,
    patch: LinkPatch,
    actor: Actor,
  ): Promise<LinkView> {
    if (!isId(id)) throwNotFound();
    const { name, isPaused, expiresAt, deliver } = patch;
    if (deliver) await this.checkNewDeliver(organizationId, id, deliver);
    const destination = await this.findNewDestination(
      organizationId,
      id,
      patch,
    );
    return this.store.unitOfWork.run(async (tx) => {
      const where = { id, organizationId };
      const row = (await findForUpdate(tx, Link, where)) ?? throwNotFound();
      assertNotRevoked(row);
      const before = row.name;
      const changes = {
        name: name === undefined ? before : parseName(name),
        ...destination,
        ...(expiresAt !== undefined && { expiresAt: parseExpiry(expiresAt) }),
        ...(deliver !== undefined && { deliver: deliver && [...deliver] }),
        ...(isPaused !== undefined && {
          pausedAt: isPaused ? (row.pausedAt ?? clock.date()) : null,
        }),
      };
      await tx.update(Link, { id }, changes);
      const link = toLinkView(Object.assign(row, changes));
      await recordAudit(tx, actor, {
        organizationId,
        action: "link.changed",
        subject: id,
        details: {
          name: link.name,
          ...(link.name !== before && { before }),
          ...(isPaused !== undefined && { isPaused }),
          ...(destination && {
            attachmentField: link.attachmentField,
            formats: link.formats,
            overwriteExisting: link.overwriteExisting,
          }),
          ...(deliver !== undefined && { deliver }),
          ...(expiresAt !== undefined && { expiresAt: link.expiresAt }),
        },
      });
      return link;
    });
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
      row.revokedAt = clock.date();
      await tx.update(Link, { id }, { revokedAt: row.revokedAt });
      await recordAudit(tx, actor, {
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
    const { name: chosen, expiresAt, records, deliver, ...wanted } = input;
    const createdById = userId ?? serviceUserId;
    const { templateId } = input;
    if (deliver)
      await this.deliveries.check({
        organizationId,
        createdById,
        templateId,
        deliver,
      });
    const destination = await resolveDestination(
      { store, connections },
      { ...wanted, organizationId, plan, createdById },
    );
    const { connection, scope, table, field } = destination;
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
      ...toLinkDestination(field, input),
      records: records ? await checkSelector(destination, records) : null,
      deliver: deliver ? [...deliver] : null,
      expiresAt: parseExpiry(expiresAt),
      revokedAt: null,
      pausedAt: null,
      createdById,
      createdAt: clock.date(),
    };
  }

  private async checkNewDeliver(
    organizationId: string,
    id: string,
    deliver: readonly DeliverEntry[],
  ): Promise<void> {
    const where = { id, organizationId };
    const row = await this.store.read.findOneBy(Link, where);
    const { createdById, templateId } = row ?? throwNotFound();
    await this.deliveries.check({
      organizationId,
      createdById,
      templateId,
      deliver,
    });
  }

  /** Undefined when the patch leaves the destination as it is. */
  private async findNewDestination(
    organizationId: string,
    id: string,
    { attachmentField, formats, overwriteExisting }: LinkPatch,
  ): Promise<LinkDestination | undefined> {
    const wanted = [attachmentField, formats, overwriteExisting];
    if (wanted.every((one) => one === undefined)) return undefined;
    const { store, connections } = this;
    const where = { id, organizationId };
    const row = (await store.read.findOneBy(Link, where)) ?? throwNotFound();
    assertNotRevoked(row);
    const { plan } = await store.read.findOneByOrFail(Organization, {
      id: organizationId,
    });
    const changed = {
      formats: formats ?? row.formats,
      overwriteExisting: overwriteExisting ?? row.overwriteExisting,
    };
    const found = await resolveDestination(
      { store, connections },
      {
        ...changed,
        organizationId,
        plan,
        createdById: row.createdById,
        platform: row.platform,
        templateId: row.templateId,
        connectionId: row.connectionId,
        baseId: row.baseId ?? undefined,
        tableId: row.tableId,
        attachmentField:
          (attachmentField === undefined ? row.fieldId : attachmentField) ??
          undefined,
      },
    );
    if (row.records) await checkSelector(found, toSelector(row.records));
    return toLinkDestination(found.field, changed);
  }

  private async getTemplateName(id: string): Promise<string> {
    const { name } = await this.store.read.findOneOrFail(Template, {
      where: { id },
      select: { id: true, name: true },
    });
    return name.slice(0, maxNameLength);
  }

  private async addUrl(row: Link): Promise<LinkWithUrl> {
    const token = await createLinkToken(this.secrets, row);
    const url = `${this.baseUrl}/run/${token}`;
    const formulas = createFormulas(
      row.platform,
      url,
      row.name,
      row.records !== null,
    );
    return { ...toLinkView(row), token, url, formulas };
  }
}

function throwNotFound(): never {
  throw new PlatenError("not_found", "There is no such link.");
}

/** @throws PlatenError `conflict`. */
function assertNotRevoked({ revokedAt }: Link): void {
  if (revokedAt === null) return;
  throw new PlatenError(
    "conflict",
    "This link was revoked. Create another one.",
  );
}

type LinkDestination = ReturnType<typeof toLinkDestination>;

function toLinkDestination(
  field: FieldInfo | undefined,
  {
    formats = ["pdf"],
    overwriteExisting = false,
  }: Pick<LinkInput, "formats" | "overwriteExisting">,
) {
  return {
    fieldId: field?.id ?? null,
    fieldName: field?.name ?? null,
    formats: [...new Set<Format>(formats)],
    overwriteExisting,
  };
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
function parseExpiry(expiresAt: Date | null = null): Date | null {
  if (expiresAt === null) return null;
  if (expiresAt.getTime() > clock.now()) return expiresAt;
  throw new PlatenError(
    "invalid_request",
    "$.expiresAt: must be in the future. Omit it for a link that does not expire.",
  );
}

/** A link without its address. Times are ISO 8601. */
type LinkView = ReturnType<typeof toLinkView>;

function toLinkView(row: Link) {
  const { revokedAt, expiresAt, pausedAt } = row;
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
    records: row.records,
    deliver: row.deliver,
    state: getState(row),
    pausedAt: pausedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
    createdById: row.createdById,
    createdAt: row.createdAt.toISOString(),
  };
}

function getState({ revokedAt, expiresAt, pausedAt }: Link) {
  if (revokedAt !== null) return "revoked" as const;
  if (expiresAt !== null && expiresAt.getTime() <= clock.now())
    return "expired" as const;
  return pausedAt === null ? ("active" as const) : ("paused" as const);
}

/** A formula to paste into a field of the platform. */
interface Formula {
  /** The kind of field to paste it into. */
  where: string;
  formula: string;
}

/**
 * Formulas that create a link's URL for each record; empty for platforms without formulas.
 * @param selects whether the link selects its records, so that one formula is enough for a table.
 */
export function createFormulas(
  platform: string,
  url: string,
  label: string,
  selects = false,
): Formula[] {
  if (selects)
    return platform === "google-sheets"
      ? [
          {
            where: "Any cell of the sheet",
            formula: `=HYPERLINK("${url}", "${label.replaceAll('"', '""')}")`,
          },
        ]
      : [];
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
    case "directus":
      return [
        {
          where: "URL of a link in a field of the type Buttons",
          formula: `${start}{{id}}`,
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

// What the holder of a link's token may do.

/** The audience of the tokens, so that no other encrypted text is accepted as one. */
const AUDIENCE = "run";
const maxTokenLength = 4096;

/**
 * What a token allows as long as its link exists; the rest can change and is the link's own. Names are short, because the
 * token is part of a URL. Tokens of earlier versions contain more.
 */
const linkClaims = z.object({
  aud: z.literal(AUDIENCE),
  jti: z.string(),
  org: z.string(),
  tpl: z.string(),
  plt: z.string(),
  con: z.string(),
  bas: z.string().optional(),
  tbl: z.string(),
});
type LinkClaims = z.output<typeof linkClaims>;

/** Creates a link's token: encrypted (JWE, `dir`, A256GCM), and different each time. */
function createLinkToken(secrets: SecretBox, link: Link): Promise<string> {
  const { baseId } = link;
  const claims: LinkClaims = {
    aud: AUDIENCE,
    jti: link.id,
    org: link.organizationId,
    tpl: link.templateId,
    plt: link.platform,
    con: link.connectionId,
    ...(baseId !== null && { bas: baseId }),
    tbl: link.tableId,
  };
  return secrets.seal(JSON.stringify(claims), AUDIENCE);
}

/** A link whose token was presented and is valid. */
export interface OpenLink {
  link: Link;
  plan: Plan;
}

/** @throws PlatenError `unauthorized` that says whether the token is invalid, expired or revoked. */
async function openLink(
  read: EntityManager,
  secrets: SecretBox,
  token: string,
): Promise<OpenLink> {
  const claims = await readToken(secrets, token);
  const { jti: id, org: organizationId } = claims;
  const link = await read.findOneBy(Link, { id, organizationId });
  if (link === null) throw createRefusal("deleted", "no longer exists");
  if (link.revokedAt !== null)
    throw createRefusal("revoked", "was revoked by its owner");
  if (getState(link) === "expired")
    throw createRefusal(
      "expired",
      `expired at ${link.expiresAt?.toISOString()}`,
    );
  const { plan } = await read.findOneByOrFail(Organization, {
    id: organizationId,
  });
  return { link, plan };
}

/** @throws PlatenError `conflict` with the problem `paused`. */
export function assertNotPaused({ pausedAt }: Link): void {
  if (pausedAt === null) return;
  throw new PlatenError(
    "conflict",
    "This link is paused. Resume it, or try again later.",
    { problems: [createTokenProblem("paused", "was paused by its owner")] },
  );
}

/** Decrypts a token, whether it is still valid or not. */
async function readToken(
  secrets: SecretBox,
  token: string,
): Promise<LinkClaims> {
  if (token.length > maxTokenLength) throw createTokenError();
  try {
    return linkClaims.parse(JSON.parse(await secrets.open(token, AUDIENCE)));
  } catch (cause) {
    throw createTokenError(cause);
  }
}

function createTokenError(cause?: unknown): PlatenError {
  return new PlatenError(
    "unauthorized",
    "This link is incomplete or does not belong to this service. Copy it again from where it was created.",
    {
      ...(cause !== undefined && { cause }),
      problems: [createTokenProblem("incomplete", "is not valid")],
    },
  );
}

/** @param code what the page of the link says it by. */
function createRefusal(code: string, why: string): PlatenError {
  return new PlatenError(
    "unauthorized",
    `This link ${why}. Ask for a new one.`,
    { problems: [createTokenProblem(code, why)] },
  );
}

function createTokenProblem(code: string, message: string): Problem {
  return { path: "$.token", code, message };
}

/**
 * Completes the body of a request that came with a link's token: fields that it omits are set by the link.
 * @throws PlatenError `invalid_request` that lists the fields that differ from the link; `conflict` for a paused link.
 */
export function bindToLink(
  link: Link,
  platform: string,
  body: Record<string, unknown>,
): Record<string, unknown> {
  assertNotPaused(link);
  // The accepted values of each field; the first is the one that an omitted field gets.
  const bound: Record<string, unknown[]> = {
    templateId: [link.templateId],
    connectionId: [link.connectionId],
    baseId: [link.baseId],
    tableId: [link.tableId, link.tableName],
    attachmentField: [link.fieldId, link.fieldName],
    formats: [link.formats],
    overwriteExisting: [link.overwriteExisting],
    // The holder of a link must not choose who gets the documents.
    deliver: [link.deliver],
    ...(link.records && { records: [toSelector(link.records)] }),
  };
  const differing = Object.keys(bound).filter(
    (name) =>
      body[name] !== undefined &&
      !bound[name]?.some((value) => isSame(value, body[name])),
  );
  // The holder of a link without a selection names records that they know; a selection would give them all.
  for (const name of [
    "templateVersion",
    link.records ? "recordIds" : "records",
  ])
    if (name in body) differing.push(name);
  if (platform !== link.platform || differing.length > 0)
    throw new PlatenError(
      "invalid_request",
      `This link only generates documents from one template and from one table of ${link.platform}.`,
      { problems: differing.map(createBoundProblem) },
    );
  const { token: _, ...rest } = body;
  const defaults = Object.entries(bound).flatMap(([name, [value]]) =>
    value === null || value === undefined ? [] : [[name, value]],
  );
  return { ...rest, ...Object.fromEntries(defaults) };
}

function isSame(one: unknown, other: unknown): boolean {
  const value = typeof other === "string" ? normalizeId(other) : other;
  return (
    one !== null &&
    [value, other].some((each) => JSON.stringify(one) === JSON.stringify(each))
  );
}

function createBoundProblem(name: string): Problem {
  const message = "is set by the link; omit it";
  return { path: `$.${name}`, code: "bound", message };
}
