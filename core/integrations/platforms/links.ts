import { type EntityManager, IsNull, Not } from "typeorm";
import { z } from "zod";
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
import { timestampSchema, toView } from "../../lib/schemas.js";
import { PlatenError, type Problem } from "../../plugin-api/index.js";
import {
  type CreatedCallback,
  findForUpdate,
  insertRow,
  isId,
  Link,
  listPage,
  newId,
  Organization,
  type PageRequest,
  type Store,
  type Plan,
  STORE,
} from "../../storage/database/index.js";
import {
  describeChange,
  newSavedRequestFields,
  savedRequestFields,
  savedRequestPatchFields,
  SavedRequests,
} from "./saved-request.js";
import { checkSelector, recordsSchema, toSelector } from "./select-records.js";
import { BASE_URL, SECRETS } from "../../lib/process-values.js";
import { type Actor, recordAudit } from "../../accounts/index.js";

/** Encrypts the tokens of links. */
const LINK_SECRETS = createToken<SecretBox>("link tokens");
provide(LINK_SECRETS, (c) => new SecretBox(c.resolve(SECRETS), "link tokens"));

/** Which links are listed; what is left out does not matter. */
interface LinkFilter {
  templateId?: string | undefined;
  isRevoked?: boolean | undefined;
}

const linkFields = {
  ...savedRequestFields,
  records: savedRequestFields.records.nullable().meta({
    description:
      "The records that it takes each time; null when its address names them.",
  }),
  state: z.enum(["active", "paused", "expired", "revoked"]),
  pausedAt: timestampSchema.nullable(),
  expiresAt: timestampSchema.nullable(),
  revokedAt: timestampSchema.nullable(),
  createdById: z.string(),
  createdAt: timestampSchema,
};

export const linkSchema = z.strictObject(linkFields).meta({ id: "Link" });

const formulaSchema = z.strictObject({
  where: z
    .string()
    .meta({ description: "The kind of field to paste it into." }),
  formula: z.string(),
});

export const linkWithUrlSchema = z
  .strictObject({
    ...linkFields,
    token: z.string().meta({
      description: "Authorizes this template and table only, instead of a key.",
    }),
    url: z.string().meta({
      description:
        "The page. Append `?recordId=` and a record id, or several separated by commas; not if the link has `records`.",
    }),
    formulas: z.array(formulaSchema).meta({
      description:
        "Formulas to paste into the platform; empty for platforms without formulas.",
    }),
  })
  .meta({ id: "LinkWithUrl" });

const expirySchema = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text));

export const newLinkSchema = z
  .strictObject({
    ...newSavedRequestFields,
    name: z.string().optional().meta({
      description: "The page's title. Default: the template's name.",
    }),
    records: recordsSchema.optional().meta({
      description:
        "The records that the link takes each time it is used: those of a view, those that match a filter, or those without a file, " +
        "at most 1,000 at a time on its page. Exactly one of the three. Default: those that the address names.",
    }),
    expiresAt: expirySchema.optional().meta({
      description: "Default: never.",
      example: "2030-12-31T18:00:00Z",
    }),
  })
  .meta({
    id: "NewLink",
    example: {
      templateId: "0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f",
      platform: "airtable",
      attachmentField: "Invoice",
    },
  });

/** The address stays the same, and what is left out. A paused link creates nothing; pages of earlier documents remain. */
export const linkPatchSchema = z
  .strictObject({
    ...savedRequestPatchFields,
    name: z.string().optional().meta({ description: "The page's title." }),
    expiresAt: expirySchema.nullable().optional().meta({
      description: "null: never.",
    }),
  })
  .meta({ id: "LinkPatch", example: { isPaused: true } });

type LinkView = z.output<typeof linkSchema>;
/** A link with its address, which everyone who has it may use. */
export type LinkWithUrl = z.output<typeof linkWithUrlSchema>;

/** Without a user, the link belongs to the organization. */
interface LinkOwner {
  organizationId: string;
  userId?: string | undefined;
}

/** Links by which people without a key generate documents, each for one template and one table. */
@scoped(Lifecycle.ContainerScoped)
export class Links {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(LINK_SECRETS) private readonly secrets: SecretBox,
    @inject(SavedRequests) private readonly requests: SavedRequests,
    /** Without a trailing slash. */
    @inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  /**
   * Checks the destination on the platform first, so that a new link works.
   * @throws PlatenError `not_found`, or `invalid_request` as a batch of these records would.
   */
  async create(
    owner: LinkOwner,
    input: z.output<typeof newLinkSchema>,
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
  ) {
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
    patch: z.output<typeof linkPatchSchema>,
    actor: Actor,
  ): Promise<LinkView> {
    const { isPaused, expiresAt } = patch;
    const where = { id, organizationId };
    const link = isId(id) && (await this.store.read.findOneBy(Link, where));
    if (!link) throwNotFound();
    assertNotRevoked(link);
    const columns = await this.requests.change(link, patch);
    return this.store.unitOfWork.run(async (tx) => {
      const row = (await findForUpdate(tx, Link, where)) ?? throwNotFound();
      assertNotRevoked(row);
      const before = row.name;
      Object.assign(row, columns, {
        ...(expiresAt !== undefined && { expiresAt: parseExpiry(expiresAt) }),
        ...(isPaused !== undefined && {
          pausedAt: isPaused ? (row.pausedAt ?? clock.date()) : null,
        }),
      });
      await tx.save(row);
      await recordAudit(tx, actor, {
        organizationId,
        action: "link.changed",
        subject: id,
        details: {
          ...describeChange(row, patch),
          ...(row.name !== before && { before }),
          ...(expiresAt !== undefined && { expiresAt: row.expiresAt }),
        },
      });
      return toLinkView(row);
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
    { organizationId, userId }: LinkOwner,
    input: z.output<typeof newLinkSchema>,
  ): Promise<Link> {
    const { serviceUserId } = await this.store.read.findOneByOrFail(
      Organization,
      { id: organizationId },
    );
    const { records, expiresAt } = input;
    const createdById = userId ?? serviceUserId;
    const author = { organizationId, createdById };
    const { destination, columns } = await this.requests.create(author, input);
    return {
      id: newId(),
      ...columns,
      primaryFieldId: destination.table.primaryFieldId ?? null,
      records: records ? await checkSelector(destination, records) : null,
      expiresAt: parseExpiry(expiresAt),
      revokedAt: null,
      pausedAt: null,
      createdAt: clock.date(),
    };
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

/** @throws PlatenError `invalid_request` for a time in the past. */
function parseExpiry(expiresAt: Date | null = null): Date | null {
  if (expiresAt === null) return null;
  if (expiresAt.getTime() > clock.now()) return expiresAt;
  throw new PlatenError(
    "invalid_request",
    "$.expiresAt: must be in the future. Omit it for a link that does not expire.",
  );
}

function toLinkView(row: Link): LinkView {
  const { fieldName: attachmentField } = row;
  return toView(linkSchema, row, { attachmentField, state: getState(row) });
}

function getState({ revokedAt, expiresAt, pausedAt }: Link) {
  if (revokedAt !== null) return "revoked" as const;
  if (expiresAt !== null && expiresAt.getTime() <= clock.now())
    return "expired" as const;
  return pausedAt === null ? ("active" as const) : ("paused" as const);
}

type Formula = z.output<typeof formulaSchema>;

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
    "group",
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

function isSame(bound: unknown, other: unknown): boolean {
  const value = typeof other === "string" ? normalizeId(other) : other;
  return (
    bound !== null &&
    [value, other].some(
      (each) => JSON.stringify(bound) === JSON.stringify(each),
    )
  );
}

function createBoundProblem(name: string): Problem {
  const message = "is set by the link; omit it";
  return { path: `$.${name}`, code: "bound", message };
}
