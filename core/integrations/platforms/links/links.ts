import { requireBatchPlan } from "../../../batches/index.js";
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
  Template,
} from "../../../storage/database/index.js";
import { type LinkInput, parseEnd, parseLinkName } from "./link-input.js";
import { LinkTokens } from "./link-tokens.js";
import {
  type LinkView,
  linkView,
  type LinkWithUrl,
  withUrl,
} from "./link-view.js";
import { openLink, type OpenLink } from "./open-link.js";
import type { LinkActor, LinkPorts } from "./ports.js";

export interface LinkList {
  data: LinkView[];
  pagination: Omit<Page<never>, "rows">;
}

/** Whose link it will be; without a user, the organization's own. */
export interface LinkOwner {
  organizationId: string;
  userId?: string | undefined;
}

/** Links by which people without a key make documents: each for one template and one table. */
export class Links {
  private readonly tokens: LinkTokens;

  constructor(private readonly ports: LinkPorts) {
    this.tokens = new LinkTokens(ports.secrets);
  }

  /**
   * Looks at the platform first, so that a link that is made also works.
   * @throws PlatenError `not_found`, or `invalid_request` as a batch of these records would.
   */
  async create(
    owner: LinkOwner,
    input: LinkInput,
    actor: LinkActor,
  ): Promise<LinkWithUrl> {
    const row = await this.rowOf(owner, input);
    const { id, organizationId, name, templateId, platform, tableName } = row;
    await this.ports.store.unitOfWork.run(async (tx) => {
      await insertRow(tx, Link, row);
      await this.ports.noteAct(tx, actor, {
        organizationId,
        action: "link.created",
        subject: id,
        details: { name, templateId, platform, tableName },
      });
    });
    return this.shown(row);
  }

  /** The newest first, without their addresses. */
  async list(organizationId: string, page: PageRequest): Promise<LinkList> {
    const { rows, ...pagination } = await this.ports.store.snapshot((read) =>
      listPage(read, Link, {
        ...page,
        where: { organizationId },
        newestBy: "createdAt",
      }),
    );
    return { data: rows.map(linkView), pagination };
  }

  /** With its address, as it was when it was made. @throws PlatenError `not_found`. */
  async get(organizationId: string, id: string): Promise<LinkWithUrl> {
    const { read } = this.ports.store;
    const row = isId(id)
      ? await read.findOneBy(Link, { id, organizationId })
      : null;
    return this.shown(row ?? noLink());
  }

  /** Ends a link for ever; one that has ended already stays as it is. @throws PlatenError `not_found`. */
  async revoke(
    organizationId: string,
    id: string,
    actor: LinkActor,
  ): Promise<LinkView> {
    if (!isId(id)) noLink();
    return this.ports.store.unitOfWork.run(async (tx) => {
      const where = { id, organizationId };
      const row = (await findForUpdate(tx, Link, where)) ?? noLink();
      if (row.revokedAt !== null) return linkView(row);
      row.revokedAt = new Date();
      await tx.update(Link, { id }, { revokedAt: row.revokedAt });
      await this.ports.noteAct(tx, actor, {
        organizationId,
        action: "link.revoked",
        subject: id,
        details: { name: row.name },
      });
      return linkView(row);
    });
  }

  /** @throws PlatenError `unauthorized` for a token that is not ours, has expired or was revoked, saying which. */
  open(token: string): Promise<OpenLink> {
    return openLink(this.ports.store.read, this.tokens, token);
  }

  private async rowOf(
    { organizationId, userId }: LinkOwner,
    input: LinkInput,
  ): Promise<Omit<Link, never>> {
    const { read } = this.ports.store;
    const { plan, serviceUserId } = await read.findOneByOrFail(Organization, {
      id: organizationId,
    });
    requireBatchPlan(plan);
    const { name: chosen, expiresAt, ...asked } = input;
    const createdById = userId ?? serviceUserId;
    const request = { ...asked, organizationId, plan, createdById };
    const place = await this.ports.settle(request);
    const name = chosen ?? (await this.nameOf(input.templateId));
    return {
      id: newId(),
      organizationId,
      name: parseLinkName(name),
      templateId: input.templateId,
      platform: input.platform,
      connectionId: place.connectionId,
      baseId: place.baseId,
      tableId: place.tableId,
      tableName: place.tableName,
      primaryFieldId: place.primaryFieldId,
      fieldId: place.attachmentField?.id ?? null,
      fieldName: place.attachmentField?.name ?? null,
      formats: [...new Set<Format>(input.formats ?? ["pdf"])],
      overwriteExisting: input.overwriteExisting ?? false,
      expiresAt: parseEnd(expiresAt),
      revokedAt: null,
      createdById,
      createdAt: new Date(),
    };
  }

  private async nameOf(id: string): Promise<string> {
    const { read } = this.ports.store;
    const select = { id: true, name: true };
    const { name } = await read.findOneOrFail(Template, {
      where: { id },
      select,
    });
    return name.slice(0, 200);
  }

  private async shown(row: Link): Promise<LinkWithUrl> {
    return withUrl(row, await this.tokens.seal(row), this.ports.baseUrl);
  }
}

function noLink(): never {
  throw new PlatenError("not_found", "There is no such link.");
}
