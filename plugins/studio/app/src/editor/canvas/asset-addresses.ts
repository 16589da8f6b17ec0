import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { askPublic, local } from "../../api.js";

/** Where the assets are that a template shows; each is asked for once. */
export class AssetAddresses {
  readonly #known = new Map<string, Signal<string | null>>();

  /** Null until it is known, and for an asset that is not there. */
  of(assetId: string): ReadonlySignal<string | null> {
    const known = this.#known.get(assetId);
    if (known) return known;
    const address = signal<string | null>(null);
    this.#known.set(assetId, address);
    void this.#find(assetId, address);
    return address;
  }

  async #find(assetId: string, address: Signal<string | null>): Promise<void> {
    try {
      const asset = await askPublic<{ url: string }>(
        `assets/${encodeURIComponent(assetId)}`,
      );
      address.value = local(asset.url);
    } catch {
      // Its place says what is meant to be there; the checker says what is wrong with it.
      address.value = null;
    }
  }
}
