import { LinkSigner } from "../storage/files/index.js";
import type { Asset } from "../storage/database/index.js";

type Linked = Pick<Asset, "linkKey" | "storageKey" | "posterKey">;

const NAME = /^([\w-]{43})(\.poster)?\.([a-z0-9]{2,5})$/;

/** What a name in an address says. */
export interface AssetFileName {
  linkKey: string;
  isPoster: boolean;
  extension: string;
}

/**
 * Addresses of assets that need no key: `<base>/cdn/<key>.<extension>`. The key is bound to the content, so that
 * nothing else is ever found there, and to the organization, so that nobody can ask whether another has the same file.
 * It is kept with the asset: addresses outlive a change of the secret.
 */
export class AssetLinks {
  private readonly signer: LinkSigner;
  private readonly begin: string;

  constructor(baseUrl: string, secret: string) {
    this.signer = new LinkSigner(secret, "platen/assets/v1");
    this.begin = `${baseUrl}/cdn/`;
  }

  /** 43 characters of base64url. */
  newKey(organizationId: string, contentHash: string): string {
    return this.signer.sign(`${organizationId} ${contentHash}`);
  }

  url({ linkKey, storageKey }: Linked): string {
    return `${this.begin}${linkKey}.${extensionOf(storageKey)}`;
  }

  /** Of a video's still picture; null where there is none. */
  posterUrl({ linkKey, posterKey }: Linked): string | null {
    if (posterKey === null) return null;
    return `${this.begin}${linkKey}.poster.${extensionOf(posterKey)}`;
  }

  /** What an address of ours names; null for any other. */
  read(url: string): AssetFileName | null {
    if (!url.startsWith(this.begin)) return null;
    const [name = ""] = url.slice(this.begin.length).split(/[?#]/, 1);
    return readAssetFileName(name);
  }
}

/** The last part of an address; null for what is none of ours. */
export function readAssetFileName(name: string): AssetFileName | null {
  const [, linkKey, poster, extension] = NAME.exec(name) ?? [];
  if (linkKey === undefined || extension === undefined) return null;
  return { linkKey, isPoster: poster !== undefined, extension };
}

/** Of a key in the file store. */
export function extensionOf(storageKey: string): string {
  return storageKey.slice(storageKey.lastIndexOf(".") + 1);
}
