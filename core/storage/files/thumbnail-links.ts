import { LinkSigner } from "./link-signer.js";

/**
 * Addresses of template pictures that need no key: `<base>/thumbnails/<template>/<key>.png`. The key is bound to the
 * definition's hash, so a changed template has another address and the old one may be cached for ever.
 */
export class ThumbnailLinks {
  private readonly signer: LinkSigner;

  constructor(
    private readonly baseUrl: string,
    secret: string,
  ) {
    this.signer = new LinkSigner(secret, "platen/thumbnails/v1");
  }

  create(templateId: string, definitionHash: string): string {
    const key = this.signer.sign(`${templateId} ${definitionHash}`);
    return `${this.baseUrl}/thumbnails/${templateId}/${key}.png`;
  }

  isKey(templateId: string, definitionHash: string, key: string): boolean {
    return this.signer.matches(`${templateId} ${definitionHash}`, key);
  }
}
