import type { Actor } from "../accounts/index.js";
import { PlatenError } from "../plugin-api/index.js";
import type { UploadLink } from "../storage/database/index.js";
import { type AssetView, toAssetView } from "./asset-view.js";
import { type AssetContext, type AssetOwner, parseName } from "./context.js";
import { storeAsset } from "./stored-assets.js";
import {
  type UploadLinkRequest,
  UploadLinks,
  type UploadLinkView,
} from "./upload-links.js";
import { UploadReader } from "./upload-reader.js";
import { parseSource, readSource, type UploadSource } from "./upload-source.js";

/** A file from exactly one source. */
export interface AssetUpload extends UploadLinkRequest, UploadSource {}

export interface UploadOptions {
  actor: Actor;
  /** The folder in which `filePath` is read; without it, paths are rejected. */
  root?: string | undefined;
  /** Cancels a fetch. */
  signal?: AbortSignal | undefined;
}

/** A file whose bytes are in memory or arrive as a stream. */
export interface AssetBytes extends UploadLinkRequest {
  actor: Actor;
  bytes: Uint8Array | AsyncIterable<Uint8Array>;
}

/** All ways to upload a file. */
export class Uploads {
  readonly links: UploadLinks;

  constructor(private readonly context: AssetContext) {
    const { store, baseUrl, limits } = context;
    this.links = new UploadLinks(store, baseUrl, limits);
  }

  /** See `Assets.upload`. */
  async fromSource(
    owner: AssetOwner,
    upload: AssetUpload,
    { actor, root, signal }: UploadOptions,
  ): Promise<AssetView> {
    const source = parseSource(upload);
    if (source.kind === "filePath" && root === undefined)
      throw pathNotReadable(
        await this.links.create(owner, upload, source.value),
      );
    const { outbound, limits } = this.context;
    const { assetType = null } = upload;
    return this.#store(owner, { ...upload, actor }, (reader) =>
      readSource(source, (bytes) => reader.write(bytes), {
        outbound,
        limits,
        assetType,
        root: root ?? "",
        signal,
      }),
    );
  }

  /** Stores a file as it arrives. @throws PlatenError `invalid_request`, `too_large`. */
  fromBytes(
    owner: AssetOwner,
    { bytes, ...upload }: AssetBytes,
  ): Promise<AssetView> {
    return this.#store(owner, upload, (reader) => writeAll(bytes, reader));
  }

  /** Stores the file of an upload link. @throws PlatenError as `fromBytes`, and `not_found` or `gone` for the link. */
  async byLink(
    secret: string,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<AssetView> {
    const link = await this.links.find(secret, new Date());
    const { organizationId, createdById: userId, name, folderId } = link;
    const assetType = link.assetType ?? undefined;
    // The creator of the link is responsible for its upload.
    const actor = { origin: "rest", userId, keyId: null } as const;
    return this.#store(
      { organizationId, userId },
      { name, folderId, assetType, actor },
      (reader) => writeAll(bytes, reader),
      link,
    );
  }

  async #store(
    owner: AssetOwner,
    upload: UploadLinkRequest & { actor: Actor },
    read: (reader: UploadReader) => Promise<void>,
    uploadLink?: UploadLink,
  ): Promise<AssetView> {
    const { assetType = null, folderId = null, actor } = upload;
    const name = parseName(upload.name);
    const { limits, folder, links } = this.context;
    const reader = new UploadReader(limits, folder, assetType);
    try {
      await read(reader);
      const row = await storeAsset(this.context, owner, await reader.end(), {
        name,
        folderId,
        actor,
        uploadLink,
      });
      return toAssetView(row, links);
    } finally {
      await reader.close();
    }
  }
}

async function writeAll(
  bytes: AssetBytes["bytes"],
  reader: UploadReader,
): Promise<void> {
  if (bytes instanceof Uint8Array) await reader.write(bytes);
  else for await (const chunk of bytes) await reader.write(chunk);
}

function pathNotReadable({ curl, expiresAt }: UploadLinkView): PlatenError {
  return new PlatenError(
    "invalid_request",
    "This service cannot read files on your machine.",
    {
      problems: [
        {
          path: "$.filePath",
          code: "upload_link",
          message: "cannot be read. Send the file itself:",
          // The shell comment keeps text after the line from becoming part of the URL.
          hint: `${curl} # works once, until ${expiresAt}`,
        },
      ],
    },
  );
}
