import { PlatenError } from "../../plugin-api/index.js";
import type { UploadLink } from "../../storage/database/index.js";
import type { AssetOwner } from "../asset-owner.js";
import type { AssetParts } from "../asset-parts.js";
import { assetView, type AssetView } from "../asset-view.js";
import { checkName } from "../check-name.js";
import type { AssetActor } from "../note-act.js";
import { type AssetPlace, writeAsset } from "../write-asset.js";
import { contentOf } from "./content-of.js";
import { Intake } from "./intake.js";
import { oneSource, type SourceNames } from "./one-source.js";
import { pour } from "./pour.js";
import {
  type UploadLinkRequest,
  UploadLinks,
  type UploadLinkView,
} from "./upload-links.js";

/** A file, told by exactly one source. */
export interface AssetUpload extends UploadLinkRequest, SourceNames {}

export interface UploadOptions {
  /** Who uploads. */
  actor: AssetActor;
  /** The folder within which `filePath` is read; without it none is. */
  root?: string | undefined;
  /** Ends a fetch. */
  signal?: AbortSignal | undefined;
}

/** A file whose bytes arrive by themselves. */
export interface AssetBytes extends UploadLinkRequest {
  /** Who brings them. */
  actor: AssetActor;
  bytes: Uint8Array | AsyncIterable<Uint8Array>;
}

/** All ways by which files come in. */
export class Uploads {
  readonly links: UploadLinks;

  constructor(private readonly parts: AssetParts) {
    const { store, baseUrl, limits } = parts;
    this.links = new UploadLinks(store, baseUrl, limits);
  }

  /** See `Assets.upload`. */
  async fromSource(
    owner: AssetOwner,
    upload: AssetUpload,
    { actor, root, signal }: UploadOptions,
  ): Promise<AssetView> {
    const source = oneSource(upload);
    if (source.kind === "filePath" && root === undefined)
      throw insteadOfPath(await this.links.create(owner, upload, source.value));
    const { outbound, limits } = this.parts;
    const { assetType = null } = upload;
    const how = { outbound, limits, assetType, root: root ?? "", signal };
    const told = { ...upload, actor };
    return this.take(owner, told, (intake) => pour(source, intake, how));
  }

  /** Stores a file as it arrives. @throws PlatenError `invalid_request`, `too_large`. */
  fromBytes(
    owner: AssetOwner,
    { bytes, ...told }: AssetBytes,
  ): Promise<AssetView> {
    return this.take(owner, told, (intake) => write(bytes, intake));
  }

  /** Stores the file that comes by an upload link. @throws PlatenError the same, and `not_found`, `gone` for the link. */
  async byLink(
    secret: string,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<AssetView> {
    const link = await this.links.open(secret, new Date());
    const { organizationId, createdById: userId, name, folderId } = link;
    const assetType = link.assetType ?? undefined;
    // Whoever made the link answers for what comes by it.
    const actor = { origin: "rest", userId, keyId: null } as const;
    const told = { name, folderId, assetType, actor };
    const pouring = (intake: Intake) => write(bytes, intake);
    return this.take({ organizationId, userId }, told, pouring, link);
  }

  private async take(
    owner: AssetOwner,
    told: UploadLinkRequest & Pick<AssetPlace, "actor">,
    pouring: (intake: Intake) => Promise<void>,
    by?: UploadLink,
  ): Promise<AssetView> {
    const { name, assetType, folderId = null, actor } = told;
    const place = { name: checkName(name), folderId, actor, by };
    const { limits, folder, links } = this.parts;
    const intake = new Intake(limits, folder, assetType ?? null);
    try {
      await pouring(intake);
      const content = await contentOf(await intake.end(), limits);
      const row = await writeAsset(this.parts, owner, content, place);
      return assetView(row, links);
    } finally {
      await intake.close();
    }
  }
}

async function write(
  bytes: AssetBytes["bytes"],
  intake: Intake,
): Promise<void> {
  if (bytes instanceof Uint8Array) await intake.write(bytes);
  else for await (const chunk of bytes) await intake.write(chunk);
}

function insteadOfPath({ curl, expiresAt }: UploadLinkView): PlatenError {
  return new PlatenError(
    "invalid_request",
    "This service reads no files of its callers' machines.",
    {
      problems: [
        {
          path: "$.filePath",
          code: "upload_link",
          message: "cannot be read from here. Send the file itself:",
          // A comment of the shell, so that what follows the line in a sentence does not become part of the address.
          hint: `${curl} # works once, until ${expiresAt}`,
        },
      ],
    },
  );
}
